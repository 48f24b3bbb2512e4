#version 460
// A times B, each loaded by a function, along a loop; the result is stored by a function, transposed.
#include "matrices.glsl"

const uint kSteps = 3;

float16_t loadA(const in uint row, const in uint column, const in float16_t ignored, const in uint first) {
  return a[first + row * (kSteps * DEPTH) + column];
}
float16_t loadB(const in uint row, const in uint column, const in float16_t ignored, const in uint first) {
  return b[first + row * COLUMNS + column];
}
float storeD(const in uint row, const in uint column, const in float element, const in uint first) {
  d[first + column * ROWS + row] = element + float(row) - 2.0 * float(column);
  return element;
}

void main() {
  SUM(ROWS, COLUMNS) sum = SUM(ROWS, COLUMNS)(0.0);
  for (uint step = 0; step < kSteps; ++step) {
    MATRIX_A(ROWS, DEPTH) left;
    MATRIX_B(DEPTH, COLUMNS) right;
    coopMatPerElementNV(left, left, loadA, PART * (kSteps * ROWS * DEPTH) + step * DEPTH);
    coopMatPerElementNV(right, right, loadB, PART * (kSteps * DEPTH * COLUMNS) + step * (DEPTH * COLUMNS));
    sum = coopMatMulAdd(left, right, sum);
  }
  coopMatPerElementNV(sum, sum, storeD, PART * ROWS * COLUMNS);
}
