#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> b;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> c;
  c = coopMatMulAdd(a, b, c, 1.5);
}
