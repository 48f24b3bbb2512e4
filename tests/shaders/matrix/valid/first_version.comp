// GL_NV_cooperative_matrix and GL_NV_integer_cooperative_matrix, the first version of cooperative matrices.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const int rows = 16;
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
layout(set = 0, binding = 1) buffer Bytes { uint8_t x[]; } bytes;
shared uvec4 tile[64];

void main() {
  fcoopmatNV<16, gl_ScopeSubgroup, 16, 16> a;
  fcoopmatNV<16, gl_ScopeSubgroup, 16, 8> b;
  fcoopmatNV<32, gl_ScopeSubgroup, 16, 8> c = fcoopmatNV<32, gl_ScopeSubgroup, 16, 8>(0.0);
  coopMatLoadNV(a, data.x, 0, 16, false);
  coopMatLoadNV(b, tile, 0, 2, true);
  c = coopMatMulAddNV(a, b, c);
  c = -c * 2.0 + c;
  for (int i = 0; i < c.length(); ++i) c[i] += 1.0;
  fcoopmatNV<16, gl_ScopeSubgroup, 16, 8> d = fcoopmatNV<16, gl_ScopeSubgroup, 16, 8>(c);
  coopMatStoreNV(d, data.x, 256, 8, false);
  icoopmatNV<8, gl_ScopeSubgroup, rows, 32> p;
  icoopmatNV<8, gl_ScopeSubgroup, 32, 8> q = icoopmatNV<8, gl_ScopeSubgroup, 32, 8>(1);
  icoopmatNV<32, gl_ScopeSubgroup, rows, 8> r = icoopmatNV<32, gl_ScopeSubgroup, rows, 8>(0);
  coopMatLoadNV(p, bytes.x, 0, 32, false);
  r = coopMatMulAddNV(p, q, r);
  coopMatStoreNV(r, tile, 0, 2, false);
}
