#version 460
// One operand is loaded before the loop and used in each iteration, the other one is used twice.
#include "matrices.glsl"

float16_t loadA(const in uint row, const in uint column, const in float16_t ignored, const in uint first) {
  return a[first + row * DEPTH + column];
}
float16_t loadB(const in uint row, const in uint column, const in float16_t ignored, const in uint first) {
  return b[first + row * COLUMNS + column];
}

void main() {
  MATRIX_A(ROWS, DEPTH) left;
  coopMatPerElementNV(left, left, loadA, PART * ROWS * DEPTH);
  SUM(ROWS, COLUMNS) even, odd;
  coopMatLoad(even, c, PART * ROWS * COLUMNS, COLUMNS, kByRows);
  coopMatLoad(odd, c, PART * ROWS * COLUMNS, ROWS, kByColumns);
  for (uint step = 0; step < 2; ++step) {
    MATRIX_B(DEPTH, COLUMNS) right;
    coopMatPerElementNV(right, right, loadB, PART * (2 * DEPTH * COLUMNS) + step * (DEPTH * COLUMNS));
    even = coopMatMulAdd(left, right, even);
    odd = coopMatMulAdd(left + left, right, odd);
  }
  even = even - odd;
  coopMatStore(even, d, PART * ROWS * COLUMNS, COLUMNS, kByRows);
}
