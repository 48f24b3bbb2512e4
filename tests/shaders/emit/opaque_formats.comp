// CHECK-SPIRV
// A function called with images of several formats is emitted once for each, with local variables of its own.
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r32f) uniform image2D a;
layout(set = 0, binding = 1) uniform writeonly image2D b;
void fill(writeonly image2D x) {
  int i = 3;
  imageStore(x, ivec2(i), vec4(i));
}
void main() {
  fill(a);
  fill(b);
}
