// Each place of an argument that must be a matrix, and operators that matrices have no instruction for.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
#define A coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define B coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define C coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
#define W coopmat<float, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator>
#define I coopmat<int, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
void main() {
  A a = A(1);
  B b = B(1);
  C c = C(1);
  I i = I(1);
  c = coopMatMulAdd(1.0, b, c);
  c = coopMatMulAdd(a, 1.0, c);
  c = coopMatMulAdd(a, b, 1.0);
  coopMatTransposeNV(b, 1.0);
  float f;
  coopMatTransposeNV(f, c);
  W w = W(c);
  i = i % i;
  i = i % 2;
  i = 2 % i;
  i = i << i;
  i = i << 1;
  i = i >> i;
  i = i & i;
  i = i | 1;
  i = i ^ i;
  bool e = i == i;
  bool l = c < c;
  bool n = c && c;
  i = i % c;
}
