#version 460
// Reductions of C. Macro REDUCTION: 0 rows, 1 columns, 2 both, 3 squares of 2x2; 4 to 7: the same of halves.
#include "matrices.glsl"

#if REDUCTION < 4
#define COMPONENT float
#else
#define COMPONENT float16_t
#endif
#define REDUCED(rows, columns) coopmat<COMPONENT, SCOPE, rows, columns, gl_MatrixUseAccumulator>

// The terms are small integers, so sums are exact in any order.
COMPONENT larger(const in COMPONENT x, const in COMPONENT y) { return max(x, y); }
COMPONENT added(const in COMPONENT x, const in COMPONENT y) { return x + y; }

#if REDUCTION % 4 == 0
#define RESULT(type) type(ROWS, (2 * COLUMNS))
#define RESULT_COLUMNS (2 * COLUMNS)
#define RESULT_ROWS ROWS
#define MASK gl_CooperativeMatrixReduceRowNV
#elif REDUCTION % 4 == 1
#define RESULT(type) type((2 * ROWS), COLUMNS)
#define RESULT_COLUMNS COLUMNS
#define RESULT_ROWS (2 * ROWS)
#define MASK gl_CooperativeMatrixReduceColumnNV
#elif REDUCTION % 4 == 2
#define RESULT(type) type(ROWS, COLUMNS)
#define RESULT_COLUMNS COLUMNS
#define RESULT_ROWS ROWS
#define MASK gl_CooperativeMatrixReduceRowAndColumnNV
#else
#define RESULT(type) type((ROWS / 2), (COLUMNS / 2))
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
  const REDUCED(ROWS, COLUMNS) all = REDUCED(ROWS, COLUMNS)(sum);
  RESULT(REDUCED) result, largest;
  coopMatReduceNV(result, all, MASK, added);
  coopMatReduceNV(largest, all, MASK, larger);
  const RESULT(SUM) total = RESULT(SUM)(result + largest);
  coopMatStore(total, d, PART * RESULT_ROWS * RESULT_COLUMNS, RESULT_COLUMNS, kByRows);
}
