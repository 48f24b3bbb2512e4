// Sizes that are specialization constants: the pipeline decides whether the shapes of a reduction or transposition match.
// RUN: coopc --target-env=vulkan1.3 -Werror %s
// CHECK-SPIRV
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
#define MAT(T, R, C, U) coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUse##U>

layout(constant_id = 0) const uint M = 16;
layout(constant_id = 1) const uint N = 16;
layout(constant_id = 2) const uint ROWS = 16;
const uint kWide = N * 3;
float add(const in float a, const in float b) { return a + b; }

void main() {
  MAT(float, M, N, Accumulator) m = MAT(float, M, N, Accumulator)(1.0);
  MAT(float, M * 1, kWide, Accumulator) byRow;
  coopMatReduceNV(byRow, m, gl_CooperativeMatrixReduceRowNV, add);
  MAT(float, ROWS, 16, Accumulator) byColumn;
  coopMatReduceNV(byColumn, m, gl_CooperativeMatrixReduceColumnNV, add);
  MAT(float, 16, ROWS, B) turned;
  coopMatTransposeNV(turned, m);
}
