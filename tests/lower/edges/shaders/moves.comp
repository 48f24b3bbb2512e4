#version 460
// A product, its transpose, sums of its rows, and a function of each element: operations that need other invocations' elements.
#include "matrices.glsl"

float added(const in float x, const in float y) { return x + y; }
float placed(const in uint row, const in uint column, const in float x, const in float other) {
  return x + float(row) * 3.0 - float(column) + other;
}

void main() {
  MATRIX_A(ROWS, DEPTH) left;
  MATRIX_B(DEPTH, COLUMNS) right;
  SUM(ROWS, COLUMNS) sum;
  coopMatLoad(left, a, PART * ROWS * DEPTH, DEPTH, kByRows);
  coopMatLoad(right, b, PART * DEPTH * COLUMNS, DEPTH, kByColumns);
  coopMatLoad(sum, c, PART * ROWS * COLUMNS, COLUMNS, kByRows);
  sum = coopMatMulAdd(left, right, sum);
  SUM(ROWS, COLUMNS) ofRows;
  coopMatReduceNV(ofRows, sum, gl_CooperativeMatrixReduceRowNV, added);
  coopMatPerElementNV(sum, sum, placed, ofRows);
  coopMatStore(sum, d, PART * ROWS * COLUMNS, ROWS, kByColumns);
}
