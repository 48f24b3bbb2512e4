#version 460
// Per-element operations on values, with a second matrix and other arguments.
#include "matrices.glsl"

float mixed(const in uint row, const in uint column, const in float x, const in float factor, const in float other) {
  return column > row ? x * factor + other : float(row * 100 + column) - other;
}

void main() {
  MATRIX_A(ROWS, DEPTH) left;
  MATRIX_B(DEPTH, COLUMNS) right;
  SUM(ROWS, COLUMNS) sum, addend;
  coopMatLoad(left, a, PART * ROWS * DEPTH, DEPTH, kByRows);
  coopMatLoad(right, b, PART * DEPTH * COLUMNS, COLUMNS, kByRows);
  coopMatLoad(addend, c, PART * ROWS * COLUMNS, COLUMNS, kByRows);
  sum = coopMatMulAdd(left, right, addend);
  coopMatPerElementNV(sum, sum, mixed, 3.0, addend);
  coopMatStore(sum, d, PART * ROWS * COLUMNS, COLUMNS, kByRows);
}
