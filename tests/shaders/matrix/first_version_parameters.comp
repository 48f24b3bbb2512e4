#version 460
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
int k;
void main() {
  fcoopmatNV<k, gl_ScopeSubgroup, 16, 8> a;
  fcoopmatNV<16, k, 16, 8> b;
  fcoopmatNV<16, gl_ScopeSubgroup, k, 8> c;
  fcoopmatNV<16, gl_ScopeSubgroup, 16, k> d;
  fcoopmatNV<16, gl_ScopeSubgroup, 16> e;
  icoopmatNV<16, gl_ScopeSubgroup, 16, 8> f;
}
