// CHECK-SPIRV
// A transposed matrix alone needs the capability of conversions.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer D { float x[]; };
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> c;
  coopMatLoad(c, x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> b;
  coopMatTransposeNV(b, c);
  coopMatStore(b, x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
