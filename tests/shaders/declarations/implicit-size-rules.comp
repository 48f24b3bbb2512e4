// An array that is sized by its use (GLSL 4.60, 4.1.9): constant indices only, no length, no copies.
#version 450
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer B {
  int x[];
  int y;
  int z[];
} b;
void main() {
  b.x[3] = b.z[1];
  b.x[b.y] = 1;
  b.y = b.x.length();
  int copy[4] = b.x;
}
