#version 460
// The coordinates of components of matrices of all uses, inside and outside of control flow that differs between invocations.
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#include "matrices.glsl"

void main() {
  MATRIX_A(ROWS, DEPTH) left;
  MATRIX_B(DEPTH, COLUMNS) right;
  SUM(ROWS, COLUMNS) sum;
  coopMatLoad(left, a, PART * ROWS * DEPTH, DEPTH, kByRows);
  coopMatLoad(right, b, PART * DEPTH * COLUMNS, COLUMNS, kByRows);
  for (uint i = 0; i < left.length(); ++i) {
    const uvec2 at = coopMatGetCoordinateEXT(left, i);
    left[i] += float16_t(at.x) - float16_t(2 * at.y);
  }
  for (uint i = 0; i < right.length(); ++i) {
    if (gl_LocalInvocationIndex % 3 == 0) right[i] += float16_t(3 * coopMatGetCoordinateEXT(right, i).x);
    if (gl_LocalInvocationIndex % 3 != 0) right[i] += float16_t(3 * coopMatGetCoordinateEXT(right, i).x);
    right[i] -= float16_t(coopMatGetCoordinateEXT(right, i).y);
  }
  coopMatLoad(sum, c, PART * ROWS * COLUMNS, COLUMNS, kByRows);
  sum = coopMatMulAdd(left, right, sum);
  [[unroll]] for (uint i = 0; i < sum.length(); ++i) {
    const uvec2 at = coopMatGetCoordinateEXT(sum, i);
    sum[i] += float(at.x * 100 + at.y);
  }
  coopMatStore(sum, d, PART * ROWS * COLUMNS, COLUMNS, kByRows);
}
