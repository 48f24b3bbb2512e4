#version 460
// An accumulator becomes the operand B that is its transpose, by SPV_EXT_cooperative_matrix_maintenance1's decoration.
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#include "matrices.glsl"

void main() {
  MATRIX_A(ROWS, DEPTH) left;
  coopMatLoad(left, a, PART * ROWS * DEPTH, DEPTH, kByRows);
  coopmat<float16_t, SCOPE, COLUMNS, DEPTH, gl_MatrixUseAccumulator> other;
  coopMatLoad(other, b, PART * DEPTH * COLUMNS, COLUMNS, kByColumns);
  MATRIX_B(DEPTH, COLUMNS) right;
  coopMatTransposeEXT(right, other + other);
  SUM(ROWS, COLUMNS) sum = SUM(ROWS, COLUMNS)(0.0);
  sum = coopMatMulAdd(left, right, sum);
  coopMatStore(sum, d, PART * ROWS * COLUMNS, COLUMNS, kByRows);
}
