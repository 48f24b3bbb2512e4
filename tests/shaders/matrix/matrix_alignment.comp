// RUN: coopc --target-env=vulkan1.3 -Wall %s
// A line of the matrix decides what must be aligned: rows or columns, up to 16 bytes.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer D { float16_t x[]; };
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 2, 8, gl_MatrixUseA> wide;
  coopmat<float16_t, gl_ScopeSubgroup, 8, 2, gl_MatrixUseA> high;
  coopMatLoad(wide, x, 2, 10, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(wide, x, 2, 10, gl_CooperativeMatrixLayoutColumnMajor);
  coopMatLoad(high, x, 2, 10, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(high, x, 2, 10, gl_CooperativeMatrixLayoutColumnMajor);
  coopMatLoad(high, x, 1, 9, gl_CooperativeMatrixLayoutRowMajor);
}
