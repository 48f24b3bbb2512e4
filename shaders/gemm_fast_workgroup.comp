// D = A * B with workgroup scope matrices, written for speed. A and D are row-major, B is row-major or, with B_COLUMNS,
// column-major; all are dense.
//
// Against gemm_workgroup.comp: layouts clamp nothing (no bounds check in front of each load), strides are known to be
// multiples of 16 bytes (so that loads are as wide as they can be), several steps along K are unrolled, and workgroups walk
// over D in bands, so that those in flight share their parts of A and B in the cache.
//
// M, N and K must be multiples of TILE_M, TILE_N and UNROLL * TILE_K.
//
// Macros: AB_TYPE, C_TYPE: component types of the operands, and of the accumulator and result
//         AB_BYTES: the size of an operand's component
//         B_COLUMNS: 1 when B is stored by columns; PREFETCH: 1 to load a step ahead
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_memory_scope_semantics : require
#ifdef USE_BFLOAT16
#extension GL_EXT_bfloat16 : require
#endif

#ifndef AB_TYPE
#define AB_TYPE float16_t
#define AB_BYTES 2
#endif
#ifndef C_TYPE
#define C_TYPE float32_t
#endif
#ifndef B_COLUMNS
#define B_COLUMNS 0
#endif
#ifndef PREFETCH
#define PREFETCH 0
#endif

layout(constant_id = 0) const uint TILE_M = 128;
layout(constant_id = 1) const uint TILE_N = 256;
layout(constant_id = 2) const uint TILE_K = 64;
layout(local_size_x_id = 3, local_size_y = 1, local_size_z = 1) in;
layout(constant_id = 4) const uint UNROLL = 4;
layout(constant_id = 5) const uint BAND = 8;

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Operand { AB_TYPE x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Result { C_TYPE x[]; };

layout(push_constant, scalar) uniform Parameters {
  Operand a;
  Operand b;
  Result d;
  uint m;
  uint n;
  uint k;
};

#define MATRIX_A coopmat<AB_TYPE, gl_ScopeWorkgroup, TILE_M, TILE_K, gl_MatrixUseA>
#define MATRIX_B coopmat<AB_TYPE, gl_ScopeWorkgroup, TILE_K, TILE_N, gl_MatrixUseB>

void main() {
  const uint tilesM = m / TILE_M;
  const uint tilesN = n / TILE_N;
  const uint band = gl_WorkGroupID.x / (BAND * tilesN);
  const uint rowsOfBand = min(BAND, tilesM - band * BAND);
  const uint inBand = gl_WorkGroupID.x % (BAND * tilesN);
  const uint row = (band * BAND + inBand % rowsOfBand) * TILE_M;
  const uint column = inBand / rowsOfBand * TILE_N;

  // What the compiler cannot know: these are multiples of 16 bytes.
  const uint aligned = ~(16u / AB_BYTES - 1u);
  tensorLayoutNV<2> layoutA = createTensorLayoutNV(2);
  layoutA = setTensorLayoutDimensionNV(layoutA, m, k);
  layoutA = setTensorLayoutStrideNV(layoutA, k & aligned, 1);
  tensorLayoutNV<2> layoutB = createTensorLayoutNV(2);
#if B_COLUMNS
  layoutB = setTensorLayoutDimensionNV(layoutB, n, k);
  layoutB = setTensorLayoutStrideNV(layoutB, k & aligned, 1);
  tensorViewNV<2, false, 1, 0> transposed = createTensorViewNV(2, false, 1, 0);
#else
  layoutB = setTensorLayoutDimensionNV(layoutB, k, n);
  layoutB = setTensorLayoutStrideNV(layoutB, n & aligned, 1);
#endif
  tensorLayoutNV<2> layoutD = createTensorLayoutNV(2);
  layoutD = setTensorLayoutDimensionNV(layoutD, m, n);
  layoutD = setTensorLayoutStrideNV(layoutD, n & aligned, 1);

#define LOAD_A(matrix, at) \
  coopMatLoadTensorNV(matrix, a.x, 0, sliceTensorLayoutNV(layoutA, row, TILE_M, at, TILE_K))
#if B_COLUMNS
#define LOAD_B(matrix, at) \
  coopMatLoadTensorNV(matrix, b.x, 0, sliceTensorLayoutNV(layoutB, column, TILE_N, at, TILE_K), transposed)
#else
#define LOAD_B(matrix, at) \
  coopMatLoadTensorNV(matrix, b.x, 0, sliceTensorLayoutNV(layoutB, at, TILE_K, column, TILE_N))
#endif

  coopmat<C_TYPE, gl_ScopeWorkgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator> sum =
      coopmat<C_TYPE, gl_ScopeWorkgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator>(C_TYPE(0));

#if PREFETCH
  MATRIX_A nextA;
  MATRIX_B nextB;
  LOAD_A(nextA, 0);
  LOAD_B(nextB, 0);
#endif
  [[dont_unroll]] for (uint chunk = 0; chunk < k; chunk += UNROLL * TILE_K) {
    [[unroll]] for (uint step = 0; step < UNROLL; ++step) {
      MATRIX_A partA;
      MATRIX_B partB;
#if PREFETCH
      partA = nextA;
      partB = nextB;
      // The last load is one step past the end: it takes the first step again, which is there.
      const uint next = chunk + (step + 1) * TILE_K;
      const uint at = next < k ? next : 0;
      LOAD_A(nextA, at);
      LOAD_B(nextB, at);
#else
      LOAD_A(partA, chunk + step * TILE_K);
      LOAD_B(partB, chunk + step * TILE_K);
#endif
      sum = coopMatMulAdd(partA, partB, sum);
    }
  }

  coopMatStoreTensorNV(sum, d.x, 0, sliceTensorLayoutNV(layoutD, row, TILE_M, column, TILE_N));
}
