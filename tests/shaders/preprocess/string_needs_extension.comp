// Without an extension there are no strings.
#version 450
layout(local_size_x = 1) in;
void main() {
  "text";
}
