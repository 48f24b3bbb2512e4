// D = A * B with subgroup scope matrices and operands staged through shared memory: the fastest way that GLSL offers on GPUs
// whose matrix units are fed from registers. All matrices are row-major and dense.
//
// A workgroup computes a TILE_M x TILE_N tile of D; its SUBGROUPS_M x SUBGROUPS_N subgroups divide it evenly, and each keeps
// its part of the sum in registers. Along K, in steps of TILE_K, tiles of A and B go from memory to registers, from there to
// one half of shared memory, while the matrix units work on the other half: one barrier a step. Rows in shared memory are 16
// bytes longer than the tile, so that the eight rows that one load of a matrix touches fall into different banks.
//
// M, N and K must be multiples of TILE_M, TILE_N and TILE_K; gemm_workgroup.comp takes any size.
//
// Macros: AB_TYPE, C_TYPE: component types of the operands, and of the accumulator and result
//         AB_BYTES: the size of an operand's component
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
#extension GL_KHR_shader_subgroup_basic : require
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

layout(constant_id = 0) const uint TILE_M = 128;
layout(constant_id = 1) const uint TILE_N = 128;
layout(constant_id = 2) const uint TILE_K = 32;
layout(constant_id = 3) const uint SUBGROUPS_M = 2;
layout(constant_id = 4) const uint SUBGROUPS_N = 4;
// The matrices that one coopMatMulAdd takes.
layout(constant_id = 5) const uint MATRIX_M = 16;
layout(constant_id = 6) const uint MATRIX_N = 16;
layout(constant_id = 7) const uint MATRIX_K = 16;
layout(local_size_x_id = 8, local_size_y = 1, local_size_z = 1) in;
layout(constant_id = 8) const uint INVOCATIONS = 256;
// Tiles of D are taken in bands of this many rows of tiles, so that those in flight share their parts of A and B in the cache.
layout(constant_id = 9) const uint BAND = 8;

// Operands move in vectors of 16 bytes.
const uint kVector = 16 / AB_BYTES;
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Operand { uvec4 x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Result { C_TYPE x[]; };

layout(push_constant, scalar) uniform Parameters {
  Operand a;
  Operand b;
  Result d;
  uint m;
  uint n;
  uint k;
};

const uint kVectorsA = TILE_M * TILE_K / kVector / INVOCATIONS;  // that each invocation moves
const uint kVectorsB = TILE_K * TILE_N / kVector / INVOCATIONS;
const uint kStrideA = TILE_K / kVector + 1;
const uint kStrideB = TILE_N / kVector + 1;
shared uvec4 tileA[2 * TILE_M * kStrideA];
shared uvec4 tileB[2 * TILE_K * kStrideB];

const uint kRows = TILE_M / SUBGROUPS_M / MATRIX_M;  // matrices of one subgroup
const uint kColumns = TILE_N / SUBGROUPS_N / MATRIX_N;

uvec4 movingA[kVectorsA];
uvec4 movingB[kVectorsB];

void fetch(uint row, uint column, uint chunk) {
  const uint id = gl_LocalInvocationIndex;
  // Multiples of 8, which the compiler cannot know.
  const uint strideA = (k / kVector) & ~1u;
  const uint strideB = (n / kVector) & ~1u;
  [[unroll]] for (uint i = 0; i < kVectorsA; ++i) {
    const uint e = id + i * INVOCATIONS;
    movingA[i] = a.x[(row + e / (TILE_K / kVector)) * strideA + chunk / kVector + e % (TILE_K / kVector)];
  }
  [[unroll]] for (uint i = 0; i < kVectorsB; ++i) {
    const uint e = id + i * INVOCATIONS;
    movingB[i] = b.x[(chunk + e / (TILE_N / kVector)) * strideB + column / kVector + e % (TILE_N / kVector)];
  }
}

void stage(uint half_) {
  const uint id = gl_LocalInvocationIndex;
  [[unroll]] for (uint i = 0; i < kVectorsA; ++i) {
    const uint e = id + i * INVOCATIONS;
    tileA[half_ * TILE_M * kStrideA + e / (TILE_K / kVector) * kStrideA + e % (TILE_K / kVector)] = movingA[i];
  }
  [[unroll]] for (uint i = 0; i < kVectorsB; ++i) {
    const uint e = id + i * INVOCATIONS;
    tileB[half_ * TILE_K * kStrideB + e / (TILE_N / kVector) * kStrideB + e % (TILE_N / kVector)] = movingB[i];
  }
}

void main() {
  const uint tilesM = m / TILE_M;
  const uint tilesN = n / TILE_N;
  const uint band = gl_WorkGroupID.x / (BAND * tilesN);
  const uint rowsOfBand = min(BAND, tilesM - band * BAND);
  const uint inBand = gl_WorkGroupID.x % (BAND * tilesN);
  const uint row = (band * BAND + inBand % rowsOfBand) * TILE_M;
  const uint column = inBand / rowsOfBand * TILE_N;

  const uint subgroupRow = gl_SubgroupID / SUBGROUPS_N * (TILE_M / SUBGROUPS_M);
  const uint subgroupColumn = gl_SubgroupID % SUBGROUPS_N * (TILE_N / SUBGROUPS_N);

  coopmat<C_TYPE, gl_ScopeSubgroup, MATRIX_M, MATRIX_N, gl_MatrixUseAccumulator> sum[kRows * kColumns];
  [[unroll]] for (uint i = 0; i < kRows * kColumns; ++i) {
    sum[i] = coopmat<C_TYPE, gl_ScopeSubgroup, MATRIX_M, MATRIX_N, gl_MatrixUseAccumulator>(C_TYPE(0));
  }

  fetch(row, column, 0);
  stage(0);
  barrier();

  uint half_ = 0;
  for (uint chunk = 0; chunk < k; chunk += TILE_K) {
    const bool more = chunk + TILE_K < k;
    if (more) fetch(row, column, chunk + TILE_K);

    const uint baseA = half_ * TILE_M * kStrideA + subgroupRow * kStrideA;
    const uint baseB = half_ * TILE_K * kStrideB + subgroupColumn / kVector;
    [[unroll]] for (uint step = 0; step < TILE_K / MATRIX_K; ++step) {
      coopmat<AB_TYPE, gl_ScopeSubgroup, MATRIX_M, MATRIX_K, gl_MatrixUseA> partA[kRows];
      coopmat<AB_TYPE, gl_ScopeSubgroup, MATRIX_K, MATRIX_N, gl_MatrixUseB> partB;
      [[unroll]] for (uint i = 0; i < kRows; ++i) {
        coopMatLoad(partA[i], tileA, baseA + i * MATRIX_M * kStrideA + step * MATRIX_K / kVector, kStrideA,
                    gl_CooperativeMatrixLayoutRowMajor);
      }
      [[unroll]] for (uint j = 0; j < kColumns; ++j) {
        coopMatLoad(partB, tileB, baseB + step * MATRIX_K * kStrideB + j * MATRIX_N / kVector, kStrideB,
                    gl_CooperativeMatrixLayoutRowMajor);
        [[unroll]] for (uint i = 0; i < kRows; ++i) {
          sum[i * kColumns + j] = coopMatMulAdd(partA[i], partB, sum[i * kColumns + j]);
        }
      }
    }

    half_ ^= 1;
    if (more) stage(half_);
    barrier();
  }

  [[unroll]] for (uint i = 0; i < kRows; ++i) {
    [[unroll]] for (uint j = 0; j < kColumns; ++j) {
      const uint at = (row + subgroupRow + i * MATRIX_M) * n + column + subgroupColumn + j * MATRIX_N;
      coopMatStore(sum[i * kColumns + j], d.x, at, n, gl_CooperativeMatrixLayoutRowMajor);
    }
  }
}
