#version 460
// Control flow that is uniform in the scope, although nothing in the module shows it: conditions and counts come from memory.
// With subgroup scope it differs between subgroups, and some subgroups return early, so a workgroup barrier would wait
// forever.
#include "matrices.glsl"

void main() {
  const uint turns = uint(c[PART * (ROWS * COLUMNS + 1)]);
  const uint first = PART * (ROWS * COLUMNS + 1) + 1;
  if (turns == 9) return;
  SUM(ROWS, COLUMNS) sum;
  coopMatLoad(sum, c, first, COLUMNS, kByRows);
  for (uint i = 0; i < turns; ++i) {
    MATRIX_A(ROWS, DEPTH) left;
    MATRIX_B(DEPTH, COLUMNS) right;
    coopMatLoad(left, a, PART * ROWS * DEPTH, DEPTH, kByRows);
    coopMatLoad(right, b, PART * DEPTH * COLUMNS, COLUMNS, kByRows);
    if (a[PART * ROWS * DEPTH] > float16_t(0))
      sum = coopMatMulAdd(left, right, sum);
    else
      sum = coopMatMulAdd(left, right, -sum);
    if (i == 2) break;
  }
  coopMatStore(sum, d, PART * ROWS * COLUMNS, COLUMNS, kByRows);
}
