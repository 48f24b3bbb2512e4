// Suffixes (4.1.3, 4.1.4).
#version 450
layout(local_size_x = 1) in;
void main() {
  int a = 5q;
  float b = 1.0x;
}
