#version 460
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_cooperative_matrix : require
#include "glsl_test_sizes.glsl"
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { float x[]; };
void main() {
  coopmat<float, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> m;
  coopMatLoad(m, x, twice(ROWS), 8, gl_CooperativeMatrixLayoutRowMajor);
}
