// D = A * B for few rows: A is row-major, B is stored by columns (a row of weights for each column of D), as in a layer of a
// network that sees few tokens. Only one workgroup uses each element of B, so speed depends on how much of B is in flight from
// memory at any time. A workgroup computes ROWS x COLUMNS of D over all of K. Its subgroups take steps of STEP along K in turns,
// each with its own tiles in shared memory: no subgroup waits for another until their sums meet there. There are no partial
// results in memory and no second pass.
//
// Operands go through shared memory because drivers load a matrix from a buffer in pieces of one or two components, but from
// shared memory in whole rows.
//
// M must be a multiple of ROWS, N of COLUMNS, K of UNROLL * SUBGROUPS * STEP; ROWS * STEP and COLUMNS * STEP of SUBGROUP vectors.
//
// Macros: AB_TYPE: the component type of the operands; sums and results are float
//         AB_BYTES: its size
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
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

layout(constant_id = 0) const uint ROWS = 16;
layout(constant_id = 1) const uint COLUMNS = 32;
layout(constant_id = 2) const uint SUBGROUPS = 8;
layout(constant_id = 3) const uint STEP = 64;
// The shape of one coopMatMulAdd.
layout(constant_id = 4) const uint MATRIX_M = 16;
layout(constant_id = 5) const uint MATRIX_N = 16;
layout(constant_id = 6) const uint MATRIX_K = 16;
layout(local_size_x_id = 7, local_size_y = 1, local_size_z = 1) in;
layout(constant_id = 8) const uint UNROLL = 2;
layout(constant_id = 9) const uint SUBGROUP = 32;  // invocations per subgroup
layout(constant_id = 10) const uint DEPTH = 2;     // steps in flight from memory; UNROLL is a multiple of it

const uint kVector = 16 / AB_BYTES;
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Operand { uvec4 x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Result { vec4 x[]; };

layout(push_constant, scalar) uniform Parameters {
  Operand a;
  Operand b;
  Result d;
  uint m;
  uint n;
  uint k;
};

const uint kRows = ROWS / MATRIX_M;  // in matrices
const uint kColumns = COLUMNS / MATRIX_N;
const uint kLine = STEP / kVector;  // vectors per row
const uint kStride = kLine + 1;
const uint kVectorsA = ROWS * kLine / SUBGROUP;  // vectors that each invocation moves
const uint kVectorsB = COLUMNS * kLine / SUBGROUP;
const uint kTile = (ROWS + COLUMNS) * kStride;
// A tile of A and one of B for each subgroup; at the end, the sums of the subgroups.
const uint kSums = ROWS * COLUMNS / 4;
shared uvec4 tiles[SUBGROUPS * (kTile > kSums ? kTile : kSums)];

// DEPTH steps, on their way from memory.
uvec4 movingA[DEPTH * kVectorsA];
uvec4 movingB[DEPTH * kVectorsB];

void fetch(uint slot, uint row, uint column, uint at) {
  const uint stride = k / kVector & ~1u;  // a multiple of 32 bytes, which the compiler cannot know: the mask tells it
  [[unroll]] for (uint i = 0; i < kVectorsB; ++i) {
    const uint e = gl_SubgroupInvocationID + i * SUBGROUP;
    movingB[slot * kVectorsB + i] = b.x[(column + e / kLine) * stride + at / kVector + e % kLine];
  }
  [[unroll]] for (uint i = 0; i < kVectorsA; ++i) {
    const uint e = gl_SubgroupInvocationID + i * SUBGROUP;
    movingA[slot * kVectorsA + i] = a.x[(row + e / kLine) * stride + at / kVector + e % kLine];
  }
}

void main() {
  const uint row = gl_WorkGroupID.y * ROWS;
  const uint column = gl_WorkGroupID.x * COLUMNS;
  const uint tileA = gl_SubgroupID * kTile;
  const uint tileB = tileA + ROWS * kStride;

  coopmat<float, gl_ScopeSubgroup, MATRIX_M, MATRIX_N, gl_MatrixUseAccumulator> sum[kRows * kColumns];
  [[unroll]] for (uint i = 0; i < kRows * kColumns; ++i) {
    sum[i] = coopmat<float, gl_ScopeSubgroup, MATRIX_M, MATRIX_N, gl_MatrixUseAccumulator>(0.0);
  }

  [[unroll]] for (uint slot = 0; slot < DEPTH; ++slot) {
    fetch(slot, row, column, min((gl_SubgroupID + slot * SUBGROUPS) * STEP, k - STEP));
  }
  [[dont_unroll]] for (uint at = gl_SubgroupID * STEP; at < k; at += UNROLL * SUBGROUPS * STEP) {
    [[unroll]] for (uint turn = 0; turn < UNROLL; ++turn) {
      const uint slot = turn % DEPTH;
      // The tiles belong to this subgroup alone, so it does not wait for the others.
      subgroupBarrier();
      [[unroll]] for (uint i = 0; i < kVectorsA; ++i) {
        const uint e = gl_SubgroupInvocationID + i * SUBGROUP;
        tiles[tileA + e / kLine * kStride + e % kLine] = movingA[slot * kVectorsA + i];
      }
      [[unroll]] for (uint i = 0; i < kVectorsB; ++i) {
        const uint e = gl_SubgroupInvocationID + i * SUBGROUP;
        tiles[tileB + e / kLine * kStride + e % kLine] = movingB[slot * kVectorsB + i];
      }
      subgroupBarrier();
      // The last steps fetch the last tiles again: these exist, and a branch would keep the compiler from moving the loads.
      fetch(slot, row, column, min(at + (turn + DEPTH) * SUBGROUPS * STEP, k - STEP));
      [[unroll]] for (uint part = 0; part < STEP / MATRIX_K; ++part) {
        coopmat<AB_TYPE, gl_ScopeSubgroup, MATRIX_M, MATRIX_K, gl_MatrixUseA> partA[kRows];
        [[unroll]] for (uint i = 0; i < kRows; ++i) {
          coopMatLoad(partA[i], tiles, tileA + i * MATRIX_M * kStride + part * MATRIX_K / kVector, kStride,
                      gl_CooperativeMatrixLayoutRowMajor);
        }
        [[unroll]] for (uint j = 0; j < kColumns; ++j) {
          coopmat<AB_TYPE, gl_ScopeSubgroup, MATRIX_K, MATRIX_N, gl_MatrixUseB> partB;
          coopMatLoad(partB, tiles, tileB + j * MATRIX_N * kStride + part * MATRIX_K / kVector, kStride,
                      gl_CooperativeMatrixLayoutColumnMajor);
          [[unroll]] for (uint i = 0; i < kRows; ++i) {
            sum[i * kColumns + j] = coopMatMulAdd(partA[i], partB, sum[i * kColumns + j]);
          }
        }
      }
    }
  }

  barrier();
  [[unroll]] for (uint i = 0; i < kRows; ++i) {
    [[unroll]] for (uint j = 0; j < kColumns; ++j) {
      coopMatStore(sum[i * kColumns + j], tiles,
                   (gl_SubgroupID * ROWS * COLUMNS + i * MATRIX_M * COLUMNS + j * MATRIX_N) / 4, COLUMNS / 4,
                   gl_CooperativeMatrixLayoutRowMajor);
    }
  }
  barrier();
  for (uint e = gl_LocalInvocationIndex; e < kSums; e += SUBGROUPS * SUBGROUP) {
    vec4 total = uintBitsToFloat(tiles[e]);
    [[unroll]] for (uint part = 1; part < SUBGROUPS; ++part) {
      total += uintBitsToFloat(tiles[part * kSums + e]);
    }
    d.x[((row + e * 4 / COLUMNS) * n + column) / 4 + e % (COLUMNS / 4)] = total;
  }
}
