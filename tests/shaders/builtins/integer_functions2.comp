// GL_INTEL_shader_integer_functions2.
// RUN: coopc --target-env=vulkan1.1 %s
// RUN: coopc --target-env=vulkan1.1 -O %s
// CHECK-SPIRV
#version 450
#extension GL_INTEL_shader_integer_functions2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { ivec3 i; uvec3 u; i16vec2 s; u16vec2 w; int64_t l; uint64_t q; };
void main() {
  u = countLeadingZeros(u) + countTrailingZeros(u) + absoluteDifference(i, i + 3) + absoluteDifference(u, u + 1);
  w = absoluteDifference(s, s); q = absoluteDifference(l, l); w = absoluteDifference(w, w);
  i = addSaturate(i, i) + subtractSaturate(i, i) + average(i, i) + averageRounded(i, i) + multiply32x16(i, i);
  u = addSaturate(u, u) + subtractSaturate(u, u) + average(u, u) + averageRounded(u, u) + multiply32x16(u, u);
  s = addSaturate(s, s); w = subtractSaturate(w, w); l = average(l, l); q = averageRounded(q, q);
}
