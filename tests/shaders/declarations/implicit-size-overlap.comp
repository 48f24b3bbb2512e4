#version 450
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer B {
  int x[];
  layout(offset = 8) int y;
  int z[];
} b;
void main() { b.x[3] = b.z[1]; }
