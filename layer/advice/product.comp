// A product of workgroup scope, as programs write it with VK_NV_cooperative_matrix2. The layer never runs it: it lowers it with
// tiles of several sizes, and estimates the registers that they take (layer/advice/advice.cpp).
//
// Macros: OPERAND, SUM: component types of A and B, and of the accumulator and the result
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_KHR_memory_scope_semantics : require

layout(constant_id = 0) const uint kRows = 128;
layout(constant_id = 1) const uint kColumns = 128;
layout(local_size_x_id = 2) in;

layout(binding = 0, scalar) readonly buffer A { OPERAND a[]; };
layout(binding = 1, scalar) readonly buffer B { OPERAND b[]; };
layout(binding = 2, scalar) buffer D { SUM d[]; };
layout(push_constant, scalar) uniform Sizes { uint m, n, k; };

const uint kInner = 32;
const uint kZeroOutside = gl_CooperativeMatrixClampModeConstantNV;

void main() {
  const uint row = kRows * gl_WorkGroupID.y, column = kColumns * gl_WorkGroupID.x;
  tensorLayoutNV<2, kZeroOutside> layoutA = setTensorLayoutDimensionNV(createTensorLayoutNV(2, kZeroOutside), m, k);
  tensorLayoutNV<2, kZeroOutside> layoutB = setTensorLayoutDimensionNV(createTensorLayoutNV(2, kZeroOutside), k, n);
  tensorLayoutNV<2, kZeroOutside> layoutD = setTensorLayoutDimensionNV(createTensorLayoutNV(2, kZeroOutside), m, n);
  coopmat<SUM, gl_ScopeWorkgroup, kRows, kColumns, gl_MatrixUseAccumulator> sum =
      coopmat<SUM, gl_ScopeWorkgroup, kRows, kColumns, gl_MatrixUseAccumulator>(SUM(0));
  for (uint step = 0; step < k; step += kInner) {
    coopmat<OPERAND, gl_ScopeWorkgroup, kRows, kInner, gl_MatrixUseA> partA;
    coopmat<OPERAND, gl_ScopeWorkgroup, kInner, kColumns, gl_MatrixUseB> partB;
    coopMatLoadTensorNV(partA, a, 0, sliceTensorLayoutNV(layoutA, row, kRows, step, kInner));
    coopMatLoadTensorNV(partB, b, 0, sliceTensorLayoutNV(layoutB, step, kInner, column, kColumns));
    sum = coopMatMulAdd(partA, partB, sum);
  }
  coopMatStoreTensorNV(sum, d, 0, sliceTensorLayoutNV(layoutD, row, kRows, column, kColumns));
}
