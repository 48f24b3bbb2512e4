// Arguments of matrix functions as other languages or the older extension have them: a note says what is meant.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint count; float x[]; } b;
shared float tile[256];
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  m = coopMatLoad(b.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(m, b, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(m, tile[0], 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(m, tile, 0, 16, false);
  m = coopMatMulAdd(m, m);
}
