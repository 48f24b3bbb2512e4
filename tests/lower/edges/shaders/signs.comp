#version 460
// Changes of use that change the signedness of integers as well: to an operand, back to an accumulator, and transposed.
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#include "matrices.glsl"

#define MATRIX(T, R, C, U) coopmat<T, SCOPE, R, C, gl_MatrixUse##U>

void main() {
  SUM(ROWS, COLUMNS) sum;
  coopMatLoad(sum, c, PART * ROWS * COLUMNS, COLUMNS, kByRows);
  MATRIX(int, ROWS, COLUMNS, Accumulator) numbers = MATRIX(int, ROWS, COLUMNS, Accumulator)(sum);
  MATRIX(uint, ROWS, COLUMNS, A) operand = MATRIX(uint, ROWS, COLUMNS, A)(numbers);
  MATRIX(int, ROWS, COLUMNS, Accumulator) back = MATRIX(int, ROWS, COLUMNS, Accumulator)(operand);
  MATRIX(uint, COLUMNS, ROWS, B) turned;
  coopMatTransposeEXT(turned, numbers);
  MATRIX(int, ROWS, COLUMNS, A) again;
  coopMatTransposeEXT(again, MATRIX(uint, COLUMNS, ROWS, Accumulator)(turned));
  sum = SUM(ROWS, COLUMNS)(back) + 2.0 * SUM(ROWS, COLUMNS)(again);
  coopMatStore(sum, d, PART * ROWS * COLUMNS, COLUMNS, kByRows);
}
