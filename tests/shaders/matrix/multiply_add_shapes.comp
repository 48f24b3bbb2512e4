// Which argument a message about a shape or a scope names.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
#define M(T, R, C, U) coopmat<T, gl_ScopeSubgroup, R, C, U>
void main() {
  M(float, 16, 8, gl_MatrixUseA) a;
  M(float, 8, 32, gl_MatrixUseB) b;
  M(float, 4, 32, gl_MatrixUseB) narrow;
  M(float, 16, 32, gl_MatrixUseAccumulator) c;
  M(float, 8, 32, gl_MatrixUseAccumulator) low;
  M(float, 16, 16, gl_MatrixUseAccumulator) thin;
  c = coopMatMulAdd(a, narrow, c);
  low = coopMatMulAdd(a, b, low);
  thin = coopMatMulAdd(a, b, thin);
  coopmat<float, gl_ScopeWorkgroup, 16, 8, gl_MatrixUseA> wa;
  coopmat<float, gl_ScopeWorkgroup, 8, 32, gl_MatrixUseB> wb;
  coopmat<float, gl_ScopeWorkgroup, 16, 32, gl_MatrixUseAccumulator> wc;
  c = coopMatMulAdd(wa, b, c);
  c = coopMatMulAdd(a, wb, c);
  wc = coopMatMulAdd(a, b, wc);
  fcoopmatNV<16, gl_ScopeSubgroup, 16, 8> na;
  fcoopmatNV<16, gl_ScopeSubgroup, 8, 32> nb;
  fcoopmatNV<16, gl_ScopeSubgroup, 4, 32> nnarrow;
  fcoopmatNV<16, gl_ScopeSubgroup, 16, 32> nc;
  fcoopmatNV<16, gl_ScopeSubgroup, 8, 32> nlow;
  fcoopmatNV<16, gl_ScopeSubgroup, 16, 16> nthin;
  nc = coopMatMulAddNV(na, nnarrow, nc);
  nlow = coopMatMulAddNV(na, nb, nlow);
  nthin = coopMatMulAddNV(na, nb, nthin);
}
