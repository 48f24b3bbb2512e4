// CHECK-SPIRV
// The first version of cooperative matrices: types, loads, products, conversions, stores; rows and columns differ.
#version 460
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer D { float16_t x[]; };
layout(set = 0, binding = 1) buffer E { int8_t y[]; };
layout(set = 0, binding = 2) buffer F { int z[]; };
layout(constant_id = 0) const uint K = 8;
void main() {
  fcoopmatNV<16, gl_ScopeSubgroup, 16, K> a;
  fcoopmatNV<16, gl_ScopeSubgroup, K, 32> b;
  fcoopmatNV<16, gl_ScopeSubgroup, 16, 32> c = fcoopmatNV<16, gl_ScopeSubgroup, 16, 32>(0);
  coopMatLoadNV(a, x, 0, 16, false);
  coopMatLoadNV(b, x, 64, 16, true);
  c = coopMatMulAddNV(a, b, c);
  coopMatStoreNV(c, x, 128, 32, false);
  icoopmatNV<8, gl_ScopeSubgroup, 8, 32> i = icoopmatNV<8, gl_ScopeSubgroup, 8, 32>(1);
  icoopmatNV<8, gl_ScopeSubgroup, 32, 16> u;
  icoopmatNV<32, gl_ScopeSubgroup, 8, 16> s = icoopmatNV<32, gl_ScopeSubgroup, 8, 16>(0);
  coopMatLoadNV(u, y, 0, 16, false);
  s = coopMatMulAddNV(i, u, s);
  coopMatStoreNV(s, z, 0, 16, false);
  ucoopmatNV<8, gl_ScopeSubgroup, 8, 32> v = ucoopmatNV<8, gl_ScopeSubgroup, 8, 32>(i);
  icoopmatNV<32, gl_ScopeSubgroup, 8, 32> w = icoopmatNV<32, gl_ScopeSubgroup, 8, 32>(v);
  coopMatStoreNV(w, z, 512, 32, false);
  fcoopmatNV<32, gl_ScopeSubgroup, 8, 32> f = fcoopmatNV<32, gl_ScopeSubgroup, 8, 32>(w);
  coopMatStoreNV(icoopmatNV<32, gl_ScopeSubgroup, 8, 32>(f), z, 1024, 32, false);
}
