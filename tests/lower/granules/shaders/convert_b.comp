#version 460
// A transposed accumulator becomes an operand B by a plain conversion.
#include "matrices.glsl"

void main() {
  MATRIX_A(ROWS, DEPTH) left;
  coopMatLoad(left, a, PART * ROWS * DEPTH, DEPTH, kByRows);
  coopmat<float16_t, SCOPE, DEPTH, COLUMNS, gl_MatrixUseAccumulator> other;
  coopMatLoad(other, b, PART * DEPTH * COLUMNS, COLUMNS, kByRows);
  MATRIX_B(DEPTH, COLUMNS) right = MATRIX_B(DEPTH, COLUMNS)(other + other);
  SUM(ROWS, COLUMNS) sum = SUM(ROWS, COLUMNS)(0.0);
  sum = coopMatMulAdd(left, right, sum);
  coopMatStore(sum, d, PART * ROWS * COLUMNS, COLUMNS, kByRows);
}
