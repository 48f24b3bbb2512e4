#version 460
// A matrix whose elements a function loads without regard to their positions; it is only used in arithmetic.
#include "matrices.glsl"

float third(const in uint row, const in uint column, const in float x) { return c[3]; }
float seventh(const in uint row, const in uint column, const in float x) { return c[7]; }

void main() {
  MATRIX_A(ROWS, DEPTH) left;
  MATRIX_B(DEPTH, COLUMNS) right;
  SUM(ROWS, COLUMNS) sum, loaded;
  coopMatLoad(left, a, PART * ROWS * DEPTH, DEPTH, kByRows);
  coopMatLoad(right, b, PART * DEPTH * COLUMNS, COLUMNS, kByRows);
  sum = coopMatMulAdd(left, right, SUM(ROWS, COLUMNS)(0.0));
  coopMatPerElementNV(loaded, sum, third);
  sum += loaded;
  coopMatPerElementNV(loaded, sum, seventh);
  sum *= loaded;
  coopMatStore(sum, d, PART * ROWS * COLUMNS, COLUMNS, kByRows);
}
