#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B float r; uint u; } b;
void main() {
  b.u = 2u;
  b.r = unknown1;
}
