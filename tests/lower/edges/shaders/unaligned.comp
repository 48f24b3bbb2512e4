#version 460
// Tensors that begin at any element, with any stride, both known only at run time. SPV_NV_cooperative_matrix2 requires multiples
// of 16 bytes, but programs with others work on devices that load them natively.
#include "matrices.glsl"

void main() {
  const uint startA = uint(c[0]), strideA = uint(c[1]), startB = uint(c[2]), strideB = uint(c[3]);
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> ofA =
      createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> ofB =
      createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
  ofA = setTensorLayoutDimensionNV(ofA, ROWS, DEPTH);
  ofB = setTensorLayoutDimensionNV(ofB, DEPTH, COLUMNS);
  ofA = setTensorLayoutStrideNV(ofA, strideA, 1);
  ofB = setTensorLayoutStrideNV(ofB, strideB, 1);
  MATRIX_A(ROWS, DEPTH) left;
  MATRIX_B(DEPTH, COLUMNS) right;
  coopMatLoadTensorNV(left, a, startA, sliceTensorLayoutNV(ofA, 0, ROWS, 0, DEPTH));
  coopMatLoadTensorNV(right, b, startB, sliceTensorLayoutNV(ofB, 0, DEPTH, 0, COLUMNS));
  SUM(ROWS, COLUMNS) sum = coopMatMulAdd(left, right, SUM(ROWS, COLUMNS)(0.0));
  coopMatStore(sum, d, 0, COLUMNS, kByRows);
}
