#version 460
// Products of tensors whose elements are contiguous along the inner dimension, in slices. A has ROWS rows, B has COLUMNS columns
// of DEPTH elements, which need not be a multiple of a slice. OPERAND, RESULT: types of components. STRIDE: the strides as a
// constant, of tensors that have whole tiles. ELEMENTS: an element of an operand is accessed. LOADED: the sums begin with what
// the result's tensor has. CLAMPED: loads clamp to the edge. WHOLE: so do loads of whole tensors, which need no checks. ACROSS: no
// stride is 1. TWICE: both are.
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require

layout(local_size_x = WORKGROUP) in;

layout(set = 0, binding = 0, std430) readonly buffer BufferA { OPERAND a[]; };
layout(set = 0, binding = 1, std430) readonly buffer BufferB { OPERAND b[]; };
layout(set = 0, binding = 2, std430) readonly buffer BufferC { float c[]; };
layout(set = 0, binding = 3, std430) buffer BufferD { float d[]; };

#ifdef STRIDE
#define MODE gl_CooperativeMatrixClampModeUndefinedNV  // without checks
#elif defined(CLAMPED) || defined(WHOLE)
#define MODE gl_CooperativeMatrixClampModeClampToEdgeNV
#else
#define MODE gl_CooperativeMatrixClampModeConstantNV
#endif
#define SUM(type) coopmat<type, gl_ScopeWorkgroup, TILE_ROWS, TILE_COLUMNS, gl_MatrixUseAccumulator>

void main() {
  const uint startA = uint(c[0]), strideA = uint(c[1]), startB = uint(c[2]), strideB = uint(c[3]);
  tensorLayoutNV<2, MODE> ofA = createTensorLayoutNV(2, MODE);
  tensorLayoutNV<2, MODE> ofB = createTensorLayoutNV(2, MODE);
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> ofD =
      createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
  const tensorViewNV<2, false, 1, 0> transposed = createTensorViewNV(2, false, 1, 0);
  ofA = setTensorLayoutDimensionNV(ofA, ROWS, DEPTH);
  ofB = setTensorLayoutDimensionNV(ofB, COLUMNS, DEPTH);
  ofD = setTensorLayoutDimensionNV(ofD, ROWS, COLUMNS);
#ifdef STRIDE
  ofA = setTensorLayoutStrideNV(ofA, STRIDE, 1);
  ofB = setTensorLayoutStrideNV(ofB, STRIDE, 1);
#elif defined(ACROSS)
  ofA = setTensorLayoutStrideNV(ofA, strideA, 2);
  ofB = setTensorLayoutStrideNV(ofB, strideB, 2);
#elif defined(TWICE)
  ofA = setTensorLayoutStrideNV(ofA, 1, 1);
  ofB = setTensorLayoutStrideNV(ofB, 1, 1);
#else
  ofA = setTensorLayoutStrideNV(ofA, strideA, 1);
  ofB = setTensorLayoutStrideNV(ofB, strideB, 1);
#endif
  SUM(RESULT) sum = SUM(RESULT)(RESULT(1));
#ifdef LOADED
  coopMatLoadTensorNV(sum, d, 0, sliceTensorLayoutNV(ofD, 0, TILE_ROWS, 0, TILE_COLUMNS));
#endif
  for (uint k = 0; k < DEPTH; k += SLICE) {
    coopmat<OPERAND, gl_ScopeWorkgroup, TILE_ROWS, SLICE, gl_MatrixUseA> left;
    coopmat<OPERAND, gl_ScopeWorkgroup, SLICE, TILE_COLUMNS, gl_MatrixUseB> right;
#ifdef WHOLE
    coopMatLoadTensorNV(left, a, startA, ofA);
    coopMatLoadTensorNV(right, b, startB, ofB, transposed);
#else
    coopMatLoadTensorNV(left, a, startA, sliceTensorLayoutNV(ofA, 0, TILE_ROWS, k, SLICE));
    coopMatLoadTensorNV(right, b, startB, sliceTensorLayoutNV(ofB, 0, TILE_COLUMNS, k, SLICE), transposed);
#endif
#ifdef ELEMENTS
    left[0] = left[0] * OPERAND(2);
#endif
    sum = coopMatMulAdd(left, right, sum);
  }
  coopMatStoreTensorNV(SUM(float)(sum), d, 0, sliceTensorLayoutNV(ofD, 0, TILE_ROWS, 0, TILE_COLUMNS));
}
