// SPV_NV_cooperative_vector requires SPIR-V 1.6.
// RUN: coopc --target-env=vulkan1.2 %s
#version 450
#extension GL_NV_cooperative_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float16_t f; } b;
void main() {
  coopvecNV<float16_t, 4> v = coopvecNV<float16_t, 4>(1.0);
  b.f = v[0];
}
