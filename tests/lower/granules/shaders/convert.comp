#version 460
// The product of A and B becomes an operand A, then its transpose becomes an operand B.
#include "matrices.glsl"

void main() {
  MATRIX_A(ROWS, DEPTH) left;
  MATRIX_B(DEPTH, COLUMNS) right;
  coopMatLoad(left, a, PART * ROWS * DEPTH, DEPTH, kByRows);
  coopMatLoad(right, b, PART * DEPTH * COLUMNS, COLUMNS, kByRows);
  SUM(ROWS, COLUMNS) product = SUM(ROWS, COLUMNS)(0.0);
  product = coopMatMulAdd(left, right, product);
  // product (ROWS x COLUMNS) times its transpose (COLUMNS x ROWS), and the product's first operand as halves.
  MATRIX_A(ROWS, COLUMNS) asA = MATRIX_A(ROWS, COLUMNS)(product);
  MATRIX_B(COLUMNS, ROWS) asB;
  coopmat<float16_t, SCOPE, ROWS, COLUMNS, gl_MatrixUseAccumulator> halves =
      coopmat<float16_t, SCOPE, ROWS, COLUMNS, gl_MatrixUseAccumulator>(product * 0.5);
  coopMatTransposeNV(asB, halves);
  SUM(ROWS, ROWS) square = SUM(ROWS, ROWS)(1.0);
  square = coopMatMulAdd(asA, asB, square);
  coopMatStore(square, d, PART * ROWS * ROWS, ROWS, kByRows);
}
