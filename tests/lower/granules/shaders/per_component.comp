#version 460
// Per-element operations whose functions do not depend on an element's position.
#include "matrices.glsl"

float doubled(const in uint row, const in uint column, const in float x) { return 2.0 * x + 1.0; }

float mixed(const in uint row, const in uint column, const in float x, const in float other, const in float factor) {
  return x * factor - other;
}

void main() {
  MATRIX_A(ROWS, DEPTH) left;
  MATRIX_B(DEPTH, COLUMNS) right;
  SUM(ROWS, COLUMNS) sum, addend, made;
  coopMatLoad(left, a, PART * ROWS * DEPTH, DEPTH, kByRows);
  coopMatLoad(right, b, PART * DEPTH * COLUMNS, COLUMNS, kByRows);
  coopMatLoad(addend, c, PART * ROWS * COLUMNS, COLUMNS, kByRows);
  sum = coopMatMulAdd(left, right, addend);
  coopMatPerElementNV(made, sum, doubled);
  coopMatPerElementNV(made, made, mixed, addend, 3.0);
  coopMatStore(made, d, PART * ROWS * COLUMNS, COLUMNS, kByRows);
}
