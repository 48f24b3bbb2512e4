#version 460
// The product of A and B becomes an operand A, and an operand B, of halves. No accumulator has such components.
#include "matrices.glsl"

void main() {
  MATRIX_A(ROWS, DEPTH) left;
  MATRIX_B(DEPTH, COLUMNS) right;
  coopMatLoad(left, a, PART * ROWS * DEPTH, DEPTH, kByRows);
  coopMatLoad(right, b, PART * DEPTH * COLUMNS, COLUMNS, kByRows);
  SUM(ROWS, COLUMNS) product = SUM(ROWS, COLUMNS)(0.0);
  product = coopMatMulAdd(left, right, product);
  // The product times the transpose of B; the transpose of A times the product.
  MATRIX_B(COLUMNS, DEPTH) transposedB;
  coopMatLoad(transposedB, b, PART * DEPTH * COLUMNS, COLUMNS, kByColumns);
  MATRIX_A(DEPTH, ROWS) transposedA;
  coopMatLoad(transposedA, a, PART * ROWS * DEPTH, DEPTH, kByColumns);
  SUM(ROWS, DEPTH) first = SUM(ROWS, DEPTH)(0.0);
  first = coopMatMulAdd(MATRIX_A(ROWS, COLUMNS)(product), transposedB, first);
  SUM(DEPTH, COLUMNS) second = SUM(DEPTH, COLUMNS)(0.0);
  second = coopMatMulAdd(transposedA, MATRIX_B(ROWS, COLUMNS)(product), second);
  const uint start = PART * (ROWS * DEPTH + DEPTH * COLUMNS);
  coopMatStore(first, d, start, DEPTH, kByRows);
  coopMatStore(second, d, start + ROWS * DEPTH, COLUMNS, kByRows);
}
