// CHECK-SPIRV
// Vectors whose length is a specialization constant, made of components: only a pipeline knows whether their number fits.
#version 450
#extension GL_NV_cooperative_vector : require
#extension GL_EXT_long_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint N = 3;
layout(binding = 0) buffer B { float f; float16_t h[8]; } b;
void main() {
  coopvecNV<float16_t, N> v = coopvecNV<float16_t, N>(1.0, b.h[1], 3.0);
  coopvecNV<float16_t, N> w = coopvecNV<float16_t, N>(vec2(b.f), b.f);
  coopvecNV<float, N> all = coopvecNV<float, N>(1.0, 2.0, 3.0);
  coopvecNV<float, N> other = coopvecNV<float, N>(1.0, 2.0);  // two, the default is three: a warning
  b.h[0] = v[0] + w[2];
  b.f = all[1] + other[0];
}
