// CHECK-SPIRV
// Components of vectors of specialization constants.
#version 460
#extension GL_EXT_spec_constant_composites : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint A = 1;
layout(constant_id = 4) const int C = 1;
const uvec4 v = uvec4(A, 2, A + 1, 4);
const uint one = v[2];
const uvec2 two = v.zx;
const uvec3 three = v.wzy;
const uint four = v.wzyx.y;
const uvec2 splat = uvec2(A);
const ivec3 i = ivec3(C) + ivec3(1, 2, 3);
layout(set = 0, binding = 0) buffer B { uint s[4]; uvec2 t; uvec3 u; ivec3 w; };
void main() {
  s[0] = one;
  s[1] = four;
  t = two + splat;
  u = three;
  w = i;
}
