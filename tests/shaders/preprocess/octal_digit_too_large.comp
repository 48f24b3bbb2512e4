// Numbers that start with 0 are octal (4.1.3).
#version 450
layout(local_size_x = 1) in;
void main() {
  int a = 089;
}
