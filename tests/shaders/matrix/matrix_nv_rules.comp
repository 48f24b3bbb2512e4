// The first version of cooperative matrices: products with scalars only, and the arrays that its functions list.
#version 460
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0, std430) buffer B { float16_t h[64]; int8_t i8[64]; vec4 v[16]; uvec4 u[16]; ivec2 i2[16]; float f[64]; double d[64]; } b;
void main() {
  fcoopmatNV<16, gl_ScopeSubgroup, 16, 16> m = fcoopmatNV<16, gl_ScopeSubgroup, 16, 16>(1.0);
  icoopmatNV<8, gl_ScopeSubgroup, 16, 16> i;
  m = m * float16_t(2.0);
  m = m * m;
  m *= m;
  coopMatLoadNV(m, b.h, 0, 16, false);
  coopMatLoadNV(m, b.d, 0, 16, false);
  coopMatLoadNV(m, b.u, 0, 16, false);
  coopMatLoadNV(m, b.i8, 0, 16, false);
  coopMatLoadNV(m, b.v, 0, 16, false);
  coopMatStoreNV(i, b.i2, 0, 16, true);
  coopMatStoreNV(i, b.u, 0, 16, true);
  coopMatStoreNV(i, b.f, 0, 16, true);
}
