// Literals of types that no extension enables.
#version 450
layout(local_size_x = 1) in;
void main() {
  5L;
  5us;
  1.0hf;
}
