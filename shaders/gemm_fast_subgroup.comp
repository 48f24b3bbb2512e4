// D = A * B with subgroup scope matrices and operands staged through shared memory: the fastest way that GLSL offers on GPUs
// whose matrix units read their operands from registers. A and D are row-major. B is row-major or, with B_COLUMNS,
// column-major. All are dense.
//
// A workgroup computes a TILE_M x TILE_N tile of D. Its SUBGROUPS_M x SUBGROUPS_N subgroups divide it evenly, and each keeps
// its part of the sum in registers. In steps of TILE_K along K, tiles of A and B go from memory to registers, and from there to
// one half of shared memory while the matrix units work on the other half: one barrier per step. With BUFFERS 1 there is only
// one buffer, so that larger tiles fit, but there are two barriers per step. Rows in shared memory are padded by 16
// bytes, so that the eight rows that one load of a matrix touches fall into different banks.
//
// M, N and K must be multiples of TILE_M, TILE_N and UNROLL * TILE_K (SPLIT * UNROLL * TILE_K with SPLIT_K). Rows of A and B
// must be multiples of 32 bytes, MATRIX_N and MATRIX_K multiples of 16 bytes. With BUFFERS 2, UNROLL must be even.
// gemm_workgroup.comp takes any size.
//
// With SPLIT_K, K is split over SPLIT workgroups, as gemm_fast_workgroup.comp says.
//
// Macros: AB_TYPE, C_TYPE: component types of the operands, and of the accumulator and result
//         AB_BYTES: the size of an operand's component
//         B_COLUMNS: 1 when B is stored by columns
//         SPLIT_K: 1 when K is split
//         READONLY: 0 to declare A and B without `readonly`; drivers may then load them in another way
//         A_Q4: 1 or 2 if A is given in blocks of 32 four-bit numbers of a row with one scale per block: an element is
//         scale * (number - 8). A block has 16 bytes. In each of its four words of eight elements, element 2 * i begins at
//         bit 4 * i and element 2 * i + 1 at bit 16 + 4 * i, so that both become halves at once.
//         With 1, elements become halves on their way to shared memory. With 2, shared memory holds the blocks, each beside
//         eight copies of its scale. They are loaded as matrices of 16-bit words, whose components become the elements of four
//         matrices: less data goes through shared memory. Needs B by rows, and TILE_K must be a multiple of 4 * MATRIX_K.
//         C_VECTOR: with SPLIT_K, a vector of four C_TYPE
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
#ifndef B_COLUMNS
#define B_COLUMNS 0
#endif
#ifndef A_Q4
#define A_Q4 0
#endif
#ifndef BUFFERS
#define BUFFERS 2
#endif
#ifndef SPLIT_K
#define SPLIT_K 0
#endif
#ifndef READONLY
#define READONLY 1
#endif
#if READONLY
#define INPUT readonly
#else
#define INPUT
#endif
#ifndef C_VECTOR
#define C_VECTOR f32vec4
#endif

layout(constant_id = 0) const uint TILE_M = 128;
layout(constant_id = 1) const uint TILE_N = 128;
layout(constant_id = 2) const uint TILE_K = 32;
layout(constant_id = 3) const uint SUBGROUPS_M = 2;
layout(constant_id = 4) const uint SUBGROUPS_N = 4;
// The shape of one coopMatMulAdd.
layout(constant_id = 5) const uint MATRIX_M = 16;
layout(constant_id = 6) const uint MATRIX_N = 16;
layout(constant_id = 7) const uint MATRIX_K = 16;
layout(local_size_x_id = 8, local_size_y = 1, local_size_z = 1) in;
layout(constant_id = 8) const uint INVOCATIONS = 256;
// Workgroups take tiles of D in bands of this many rows of tiles: those in flight then share parts of A and B in the cache.
layout(constant_id = 9) const uint BAND = 8;
// Steps of TILE_K in one iteration of the loop.
layout(constant_id = 10) const uint UNROLL = 4;
#if SPLIT_K
layout(constant_id = 11) const uint SPLIT = 4;
#endif

// Operands move in vectors of 16 bytes.
const uint kVector = 16 / AB_BYTES;
layout(buffer_reference, std430, buffer_reference_align = 16) INPUT buffer Operand { uvec4 x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Result { C_TYPE x[]; };
#if SPLIT_K
// Partial sums, row-major: SPLIT tiles for each tile of D. Each tile of D has one counter, which is 0 before and after.
layout(buffer_reference, std430, buffer_reference_align = 16) queuefamilycoherent buffer Partials { C_TYPE x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) queuefamilycoherent buffer Counters { uint x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) queuefamilycoherent buffer PartialVectors { C_VECTOR x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer ResultVectors { C_VECTOR x[]; };
shared uint arrived;
// How many vectors of each part an invocation loads at once: 16 of all parts together, or one of each if there are more parts.
const uint kGathered = SPLIT < 16 ? 16 / SPLIT : 1;
#endif

#if A_Q4
layout(buffer_reference, std430, buffer_reference_align = 16) INPUT buffer Scales { float16_t x[]; };
#endif

layout(push_constant, scalar) uniform Parameters {
  Operand a;
  Operand b;
  Result d;
#if A_Q4
  Scales scales;
#endif
#if SPLIT_K
  Partials partials;
  Counters counters;
#endif
  uint m;
  uint n;
  uint k;
};

#if A_Q4
const uint kElementsInVectorA = 32;
#else
const uint kElementsInVectorA = kVector;
#endif
const uint kVectorsInLineA = TILE_K / kElementsInVectorA;
const uint kVectorsA = TILE_M * kVectorsInLineA / INVOCATIONS;  // vectors that each invocation moves
const uint kVectorsB = TILE_K * TILE_N / kVector / INVOCATIONS;
#if A_Q4 == 2
const uint kStrideA = kVectorsInLineA + 1 - kVectorsInLineA % 2;  // odd, so that eight rows fall into different banks
const uint kWords = 4 * MATRIX_K;  // elements along K in a matrix of 16-bit words
#else
const uint kStrideA = TILE_K / kVector + 1;
#endif
#if B_COLUMNS
const uint kLinesB = TILE_N;  // a tile of B has this many lines of kVectorsInLineB vectors
const uint kVectorsInLineB = TILE_K / kVector;
#else
const uint kLinesB = TILE_K;
const uint kVectorsInLineB = TILE_N / kVector;
#endif
const uint kStrideB = kVectorsInLineB + 1;
shared uvec4 tileA[BUFFERS * TILE_M * kStrideA];
#if A_Q4 == 2
shared uvec4 tileScales[BUFFERS * TILE_M * kStrideA];
#endif
shared uvec4 tileB[BUFFERS * kLinesB * kStrideB];

const uint kRows = TILE_M / SUBGROUPS_M / MATRIX_M;  // matrices per subgroup
const uint kColumns = TILE_N / SUBGROUPS_N / MATRIX_N;

#define OPERAND_A coopmat<AB_TYPE, gl_ScopeSubgroup, MATRIX_M, MATRIX_K, gl_MatrixUseA>
#define OPERAND_B coopmat<AB_TYPE, gl_ScopeSubgroup, MATRIX_K, MATRIX_N, gl_MatrixUseB>
#define ACCUMULATOR coopmat<C_TYPE, gl_ScopeSubgroup, MATRIX_M, MATRIX_N, gl_MatrixUseAccumulator>

// The next tile, on its way from memory.
uvec4 movingA[kVectorsA];
#if A_Q4
float16_t movingScales[kVectorsA];
#endif
uvec4 movingB[kVectorsB];

void fetch(uint row, uint column, uint chunk) {
  const uint id = gl_LocalInvocationIndex;
  // Rows are multiples of 32 bytes, which the compiler cannot know: the masks tell it.
#if A_Q4
  const uint strideA = k / kElementsInVectorA;
#else
  const uint strideA = (k / kVector) & ~1u;
#endif
#if B_COLUMNS
  const uint strideB = (k / kVector) & ~1u;
  const uint startB = column * strideB + chunk / kVector;
#else
  const uint strideB = (n / kVector) & ~1u;
  const uint startB = chunk * strideB + column / kVector;
#endif
  [[unroll]] for (uint i = 0; i < kVectorsA; ++i) {
    const uint e = id + i * INVOCATIONS;
    const uint at = (row + e / kVectorsInLineA) * strideA + chunk / kElementsInVectorA + e % kVectorsInLineA;
    movingA[i] = a.x[at];
#if A_Q4
    movingScales[i] = scales.x[at];
#endif
  }
  [[unroll]] for (uint i = 0; i < kVectorsB; ++i) {
    const uint e = id + i * INVOCATIONS;
    movingB[i] = b.x[startB + e / kVectorsInLineB * strideB + e % kVectorsInLineB];
  }
}

#if A_Q4 == 1
// Converts eight elements to halves. The half with the bits 0x6400 + x has the value 1024 + x if x is below 1024.
uvec4 decode(uint word, float16_t scale) {
  uvec4 result;
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const f16vec2 two = unpackFloat2x16((word >> (4 * i) & 0x000f000fu) | 0x64006400u) - float16_t(1024 + 8);
    result[i] = packFloat2x16(two * scale);
  }
  return result;
}
#endif

// The line of a tile of B in shared memory that holds the tile's row `row`.
uint lineOfRow(const uint row) {
#if A_Q4 == 2
  // Rows that are multiplied by numbers at the same four bits of the words lie one after the other.
  return row / kWords * kWords + row % 8 / 2 * MATRIX_K + row % kWords / 8 * 2 + row % 2;
#else
  return row;
#endif
}

void stage(uint half_) {
  const uint id = gl_LocalInvocationIndex;
  [[unroll]] for (uint i = 0; i < kVectorsA; ++i) {
    const uint e = id + i * INVOCATIONS;
    const uint line = half_ * TILE_M * kStrideA + e / kVectorsInLineA * kStrideA;
#if A_Q4 == 2
    tileA[line + e % kVectorsInLineA] = movingA[i];
    tileScales[line + e % kVectorsInLineA] = uvec4(packFloat2x16(f16vec2(movingScales[i])));
#elif A_Q4
    [[unroll]] for (uint word = 0; word < 4; ++word) {
      tileA[line + e % kVectorsInLineA * 4 + word] = decode(movingA[i][word], movingScales[i]);
    }
#else
    tileA[line + e % kVectorsInLineA] = movingA[i];
#endif
  }
  [[unroll]] for (uint i = 0; i < kVectorsB; ++i) {
    const uint e = id + i * INVOCATIONS;
    tileB[half_ * kLinesB * kStrideB + lineOfRow(e / kVectorsInLineB) * kStrideB + e % kVectorsInLineB] = movingB[i];
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

  ACCUMULATOR sum[kRows * kColumns];
  [[unroll]] for (uint i = 0; i < kRows * kColumns; ++i) sum[i] = ACCUMULATOR(C_TYPE(0));
#if A_Q4 == 2
  // Two halves of 1024. Not a constant (m >> 31 is 0): an instruction takes one 32-bit constant, and the mask is that one.
  const uint magic = 0x64006400u | m >> 31;
#endif

#if SPLIT_K
  // Written as multiples of constants, because loads along K are only as wide as the alignment that these show.
  const uint turns = k / (SPLIT * UNROLL * TILE_K);
  const uint firstK = gl_WorkGroupID.y * turns * (UNROLL * TILE_K);
  const uint endK = firstK + turns * (UNROLL * TILE_K);
#define FIRST_K firstK
#define END_K endK
#else
#define FIRST_K 0
#define END_K k
#endif
  fetch(row, column, FIRST_K);
#if BUFFERS == 2
  stage(0);
  barrier();
#endif

  [[dont_unroll]] for (uint chunk = FIRST_K; chunk < END_K; chunk += UNROLL * TILE_K) {
    [[unroll]] for (uint stepOfK = 0; stepOfK < UNROLL; ++stepOfK) {
      // UNROLL is even, so that the addresses of each half are constants. The last step fetches its own tile again: that tile
      // exists, and a branch would keep the compiler from moving loads to where their latency is hidden.
#if BUFFERS == 2
      const uint half_ = stepOfK % 2;
#else
      const uint half_ = 0;
      barrier();
      stage(0);
      barrier();
#endif
      fetch(row, column, min(chunk + (stepOfK + 1) * TILE_K, END_K - TILE_K));

      const uint baseA = half_ * TILE_M * kStrideA + subgroupRow * kStrideA;
#if B_COLUMNS
      const uint baseB = half_ * kLinesB * kStrideB + subgroupColumn * kStrideB;
#else
      const uint baseB = half_ * kLinesB * kStrideB + subgroupColumn / kVector;
#endif
#if A_Q4 == 2
      // The elements that begin at bits 4 * place and 16 + 4 * place of each 32-bit word, two at a time.
      [[unroll]] for (uint part = 0; part < TILE_K / kWords; ++part) {
        OPERAND_A words[kRows];
        OPERAND_A scale[kRows];
        [[unroll]] for (uint i = 0; i < kRows; ++i) {
          const uint at = baseA + i * MATRIX_M * kStrideA + part * MATRIX_K / kVector;
          coopMatLoad(words[i], tileA, at, kStrideA, gl_CooperativeMatrixLayoutRowMajor);
          coopMatLoad(scale[i], tileScales, at, kStrideA, gl_CooperativeMatrixLayoutRowMajor);
        }
        [[unroll]] for (uint place = 0; place < 4; ++place) {
          OPERAND_A partA[kRows];
          [[unroll]] for (uint i = 0; i < kRows; ++i) {
            [[unroll]] for (uint e = 0; e < partA[i].length(); e += 2) {
              const uint word = packFloat2x16(f16vec2(words[i][e], words[i][e + 1]));
              const f16vec2 decoded = (unpackFloat2x16((word >> (4 * place) & 0x000f000fu) | magic) - float16_t(1024 + 8)) *
                                      f16vec2(scale[i][e], scale[i][e + 1]);
              partA[i][e] = decoded.x;
              partA[i][e + 1] = decoded.y;
            }
          }
          [[unroll]] for (uint j = 0; j < kColumns; ++j) {
            OPERAND_B partB;
            coopMatLoad(partB, tileB, baseB + (part * kWords + place * MATRIX_K) * kStrideB + j * MATRIX_N / kVector, kStrideB,
                        gl_CooperativeMatrixLayoutRowMajor);
            [[unroll]] for (uint i = 0; i < kRows; ++i) {
              sum[i * kColumns + j] = coopMatMulAdd(partA[i], partB, sum[i * kColumns + j]);
            }
          }
        }
      }
#else
      [[unroll]] for (uint part = 0; part < TILE_K / MATRIX_K; ++part) {
        OPERAND_A partA[kRows];
        [[unroll]] for (uint i = 0; i < kRows; ++i) {
          coopMatLoad(partA[i], tileA, baseA + i * MATRIX_M * kStrideA + part * MATRIX_K / kVector, kStrideA,
                      gl_CooperativeMatrixLayoutRowMajor);
        }
        [[unroll]] for (uint j = 0; j < kColumns; ++j) {
          OPERAND_B partB;
#if B_COLUMNS
          coopMatLoad(partB, tileB, baseB + j * MATRIX_N * kStrideB + part * MATRIX_K / kVector, kStrideB,
                      gl_CooperativeMatrixLayoutColumnMajor);
#else
          coopMatLoad(partB, tileB, baseB + part * MATRIX_K * kStrideB + j * MATRIX_N / kVector, kStrideB,
                      gl_CooperativeMatrixLayoutRowMajor);
#endif
          [[unroll]] for (uint i = 0; i < kRows; ++i) {
            sum[i * kColumns + j] = coopMatMulAdd(partA[i], partB, sum[i * kColumns + j]);
          }
        }
      }
#endif

#if BUFFERS == 2
      stage(half_ ^ 1);
      barrier();
#endif
    }
  }

#if SPLIT_K
  if (SPLIT > 1) {
    const uint first = gl_WorkGroupID.x * SPLIT * TILE_M * TILE_N + subgroupRow * TILE_N + subgroupColumn;
    [[unroll]] for (uint i = 0; i < kRows; ++i) {
      [[unroll]] for (uint j = 0; j < kColumns; ++j) {
        const uint at = first + gl_WorkGroupID.y * TILE_M * TILE_N + i * MATRIX_M * TILE_N + j * MATRIX_N;
        coopMatStore(sum[i * kColumns + j], partials.x, at, TILE_N, gl_CooperativeMatrixLayoutRowMajor);
      }
    }
    // Each store made its data available to the device. The barrier waits for the stores of all invocations. Then one invocation counts
    // the workgroup, which orders these stores before the reads of the workgroup that counts itself last.
    const int semantics = gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible;
    const int storage = gl_StorageSemanticsBuffer | gl_StorageSemanticsShared;
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, storage, semantics);
    if (gl_LocalInvocationIndex == 0) {
      arrived = atomicAdd(counters.x[gl_WorkGroupID.x], 1u, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, semantics);
    }
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, storage, semantics);
    if (arrived != SPLIT - 1) return;
    if (gl_LocalInvocationIndex == 0) counters.x[gl_WorkGroupID.x] = 0;
    // gemm_fast_workgroup.comp has the same loop: each sample is a single file without includes.
    // It works on vectors of four. All loads come first in the text, because the compiler does not move them across stores.
    PartialVectors parts = PartialVectors(partials);
    ResultVectors result = ResultVectors(d);
    const uint vectors = TILE_M * TILE_N / 4;
    const uint rounds = (vectors + INVOCATIONS - 1) / INVOCATIONS;
    [[unroll]] for (uint round = 0; round < rounds; round += kGathered) {
      C_VECTOR part[kGathered * SPLIT];
      [[unroll]] for (uint i = 0; i < kGathered; ++i) {
        const uint e = (round + i) * INVOCATIONS + gl_LocalInvocationIndex;
        if (round + i >= rounds || (vectors % INVOCATIONS != 0 && e >= vectors)) break;
        const uint at = gl_WorkGroupID.x * SPLIT * vectors + e;
        [[unroll]] for (uint p = 0; p < SPLIT; ++p) part[i * SPLIT + p] = parts.x[at + p * vectors];
      }
      [[unroll]] for (uint i = 0; i < kGathered; ++i) {
        const uint e = (round + i) * INVOCATIONS + gl_LocalInvocationIndex;
        if (round + i >= rounds || (vectors % INVOCATIONS != 0 && e >= vectors)) break;
        C_VECTOR total = part[i * SPLIT];
        [[unroll]] for (uint p = 1; p < SPLIT; ++p) total += part[i * SPLIT + p];
        result.x[((row + e / (TILE_N / 4)) * n + column) / 4 + e % (TILE_N / 4)] = total;
      }
    }
    return;
  }
#endif
  [[unroll]] for (uint i = 0; i < kRows; ++i) {
    [[unroll]] for (uint j = 0; j < kColumns; ++j) {
      const uint at = (row + subgroupRow + i * MATRIX_M) * n + column + subgroupColumn + j * MATRIX_N;
      coopMatStore(sum[i * kColumns + j], d.x, at, n, gl_CooperativeMatrixLayoutRowMajor);
    }
  }
}
