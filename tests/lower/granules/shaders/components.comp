#version 460
// Components, by an index that is not constant; a matrix chosen by control flow; matrices in arrays and structures.
#include "matrices.glsl"

struct Pair {
  SUM(ROWS, COLUMNS) first;
  SUM(ROWS, COLUMNS) second[2];
};

void main() {
  MATRIX_A(ROWS, DEPTH) left;
  MATRIX_B(DEPTH, COLUMNS) right;
  coopMatLoad(left, a, PART * ROWS * DEPTH, DEPTH, kByRows);
  coopMatLoad(right, b, PART * DEPTH * COLUMNS, COLUMNS, kByRows);
  Pair pair;
  coopMatLoad(pair.first, c, PART * ROWS * COLUMNS, COLUMNS, kByRows);
  pair.second[0] = coopMatMulAdd(left, right, pair.first);
  pair.second[1] = SUM(ROWS, COLUMNS)(0.25);
  for (uint i = 0; i < pair.first.length(); ++i) {
    pair.second[1][i] += pair.first[i] * pair.second[0][i];
    pair.second[0][i] = max(pair.second[0][i], pair.first[i]);
  }
  SUM(ROWS, COLUMNS) chosen = pair.first;
  if (c[0] < 1000.0) {
    chosen = pair.second[1] * 2.0;
  } else {
    chosen = -pair.second[0];
  }
  chosen = chosen + pair.second[0];
  coopMatStore(chosen, d, PART * ROWS * COLUMNS, COLUMNS, kByRows);
}
