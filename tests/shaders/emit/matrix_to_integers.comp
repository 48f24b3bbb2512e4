// RUN: coopc %s
// RUN: coopc -O %s
// CHECK-SPIRV
#version 450
// Vectors of integers and booleans made of matrices: there are no matrices of such components.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { mat4x3 m; dmat2 d; ivec4 i; uvec4 u; ivec3 s; uint b; } data;
void main() {
  data.i = ivec4(data.m);
  data.u = uvec4(data.d);
  data.s = ivec3(7.5, data.m);
  data.b = uint(bvec2(data.m).y) + uint(data.d);
}
