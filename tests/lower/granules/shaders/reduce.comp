#version 460
// Reductions of C. Macro REDUCTION: 0 rows, 1 columns, 2 both, 3 squares of 2x2.
#include "matrices.glsl"

// What is added up are small integers, exact in any order.
float larger(const in float x, const in float y) { return max(x, y); }
float added(const in float x, const in float y) { return x + y; }

#if REDUCTION == 0
#define RESULT SUM(ROWS, (2 * COLUMNS))
#define RESULT_COLUMNS (2 * COLUMNS)
#define RESULT_ROWS ROWS
#define MASK gl_CooperativeMatrixReduceRowNV
#elif REDUCTION == 1
#define RESULT SUM((2 * ROWS), COLUMNS)
#define RESULT_COLUMNS COLUMNS
#define RESULT_ROWS (2 * ROWS)
#define MASK gl_CooperativeMatrixReduceColumnNV
#elif REDUCTION == 2
#define RESULT SUM(ROWS, COLUMNS)
#define RESULT_COLUMNS COLUMNS
#define RESULT_ROWS ROWS
#define MASK gl_CooperativeMatrixReduceRowAndColumnNV
#else
#define RESULT SUM((ROWS / 2), (COLUMNS / 2))
#define RESULT_COLUMNS (COLUMNS / 2)
#define RESULT_ROWS (ROWS / 2)
#define MASK gl_CooperativeMatrixReduce2x2NV
#endif

void main() {
  MATRIX_A(ROWS, DEPTH) left;
  MATRIX_B(DEPTH, COLUMNS) right;
  SUM(ROWS, COLUMNS) sum;
  coopMatLoad(left, a, PART * ROWS * DEPTH, DEPTH, kByRows);
  coopMatLoad(right, b, PART * DEPTH * COLUMNS, COLUMNS, kByRows);
  coopMatLoad(sum, c, PART * ROWS * COLUMNS, COLUMNS, kByRows);
  sum = coopMatMulAdd(left, right, sum);
  RESULT result, largest;
  coopMatReduceNV(result, sum, MASK, added);
  coopMatReduceNV(largest, sum, MASK, larger);
  result = result + largest;
  coopMatStore(result, d, PART * RESULT_ROWS * RESULT_COLUMNS, RESULT_COLUMNS, kByRows);
}
