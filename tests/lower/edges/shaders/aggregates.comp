#version 460
// Matrices as parameters, results, in structures, arrays, phis of loops and of branches, with returns in the middle.
#include "matrices.glsl"

#define M SUM(ROWS, COLUMNS)

struct Inner {
  M one;
  float scale;
};
struct Outer {
  Inner parts[2];
  M last;
};

M scaled(M m, float by) { return m * by; }

void swapped(inout M x, inout M y) {
  M t = x;
  x = y;
  y = t;
}

void both(const in Inner from, out M doubled, out M negated) {
  doubled = scaled(from.one, 2.0);
  negated = -from.one;
}

// Returns from a loop, from a branch and at the end.
M chosen(M first, M second, uint which) {
  for (uint i = 0; i < 4; ++i) {
    if (i == which) return first;
    first = first + second;
  }
  if (which == 7) return second;
  return first - second;
}

Outer made(M x, M y) {
  Outer o;
  o.parts[0] = Inner(x, 3.0);
  o.parts[1] = Inner(y, 5.0);
  o.last = x + y;
  return o;
}

M sumOf(M list[3]) {
  M sum = list[0];
  for (uint i = 1; i < 3; ++i) sum = sum + list[i];
  return sum;
}

void main() {
  MATRIX_A(ROWS, DEPTH) left;
  MATRIX_B(DEPTH, COLUMNS) right;
  M start;
  coopMatLoad(left, a, PART * ROWS * DEPTH, DEPTH, kByRows);
  coopMatLoad(right, b, PART * DEPTH * COLUMNS, COLUMNS, kByRows);
  coopMatLoad(start, c, PART * ROWS * COLUMNS, COLUMNS, kByRows);
  M product = coopMatMulAdd(left, right, M(0.0));
  Outer o = made(start, product);
  M doubled, negated;
  both(o.parts[1], doubled, negated);
  swapped(o.parts[0].one, o.last);  // parts[0].one = c + p, last = c
  // A phi of a branch and one of a loop, whose operands are other phis.
  M x = o.parts[0].one, y = o.last;
  for (uint i = 0; i < 3; ++i) {
    M next = y;
    if (i % 2 == 0)
      next = x * o.parts[0].scale;  // 3
    else
      next = next - x;
    x = y;
    y = next;
  }
  M list[3];
  list[0] = x;
  list[1] = y;
  list[2] = chosen(doubled, negated, 2) + chosen(negated, doubled, 7) + chosen(start, negated, 9);
  M result = sumOf(list);
  coopMatStore(result, d, PART * ROWS * COLUMNS, COLUMNS, kByRows);
}
