// D = alpha * A * B + beta * C with workgroup scope matrices: each workgroup computes one TILE_M x TILE_N tile of D, walking
// along K in steps of TILE_K. All matrices are row-major and dense.
//
// The driver distributes the matrices over the workgroup and stages loads through shared memory. Tensor layouts say where a
// tile lies. With the clamp mode Constant, elements outside a matrix read as zero and stores to them are dropped, so that M, N
// and K need not be multiples of the tile.
//
// Macros: AB_TYPE, C_TYPE: component types of the operands, and of the accumulator and result
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_KHR_memory_scope_semantics : require

#ifndef AB_TYPE
#define AB_TYPE float16_t
#endif
#ifndef C_TYPE
#define C_TYPE float32_t
#endif

layout(constant_id = 0) const uint TILE_M = 128;
layout(constant_id = 1) const uint TILE_N = 128;
layout(constant_id = 2) const uint TILE_K = 32;
layout(local_size_x_id = 3, local_size_y = 1, local_size_z = 1) in;

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Operand { AB_TYPE x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Addend { C_TYPE x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Result { C_TYPE x[]; };

layout(push_constant, scalar) uniform Parameters {
  Operand a;
  Operand b;
  Addend c;
  Result d;
  uint m;
  uint n;
  uint k;
  float alpha;
  float beta;
};

const uint kZeroOutside = gl_CooperativeMatrixClampModeConstantNV;

void main() {
  const uint row = TILE_M * gl_WorkGroupID.y;
  const uint column = TILE_N * gl_WorkGroupID.x;

  tensorLayoutNV<2, kZeroOutside> layoutA = createTensorLayoutNV(2, kZeroOutside);
  tensorLayoutNV<2, kZeroOutside> layoutB = createTensorLayoutNV(2, kZeroOutside);
  tensorLayoutNV<2, kZeroOutside> layoutC = createTensorLayoutNV(2, kZeroOutside);
  layoutA = setTensorLayoutDimensionNV(layoutA, m, k);
  layoutB = setTensorLayoutDimensionNV(layoutB, k, n);
  layoutC = setTensorLayoutDimensionNV(layoutC, m, n);

  coopmat<C_TYPE, gl_ScopeWorkgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator> sum =
      coopmat<C_TYPE, gl_ScopeWorkgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator>(C_TYPE(0));

  for (uint chunk = 0; chunk < k; chunk += TILE_K) {
    coopmat<AB_TYPE, gl_ScopeWorkgroup, TILE_M, TILE_K, gl_MatrixUseA> partA;
    coopmat<AB_TYPE, gl_ScopeWorkgroup, TILE_K, TILE_N, gl_MatrixUseB> partB;
    coopMatLoadTensorNV(partA, a.x, 0, sliceTensorLayoutNV(layoutA, row, TILE_M, chunk, TILE_K));
    coopMatLoadTensorNV(partB, b.x, 0, sliceTensorLayoutNV(layoutB, chunk, TILE_K, column, TILE_N));
    sum = coopMatMulAdd(partA, partB, sum);
  }

  tensorLayoutNV<2, kZeroOutside> tile = sliceTensorLayoutNV(layoutC, row, TILE_M, column, TILE_N);
  coopmat<C_TYPE, gl_ScopeWorkgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator> addend;
  coopMatLoadTensorNV(addend, c.x, 0, tile);
  sum = C_TYPE(alpha) * sum + C_TYPE(beta) * addend;
  coopMatStoreTensorNV(sum, d.x, 0, tile);
}
