// D = A * B with workgroup scope matrices, written for speed. D is row-major. A and B are row-major or, with A_COLUMNS and
// B_COLUMNS, column-major. All are dense.
//
// Differences from gemm_workgroup.comp: layouts clamp nothing (no bounds check before each load), strides are known to be
// multiples of 16 bytes (so that loads are as wide as possible), several steps along K are unrolled, and workgroups walk
// over D in bands, so that those in flight share their parts of A and B in the cache.
//
// M, N and K must be multiples of TILE_M, TILE_N and UNROLL * TILE_K (SPLIT * UNROLL * TILE_K with SPLIT_K). With OVERLAP, M and N
// need only be multiples of 16 and at least a tile: the last tiles begin earlier and compute some elements a second time.
//
// SPLIT_K is for products with few tiles: SPLIT workgroups (the second dimension of the dispatch) share a tile of D, and each
// takes a part of K. Each stores its sum to `partials` and counts itself. The last one adds all sums in the order of K, so that
// results do not depend on which one is last, and sets the counter back to 0.
//
// Macros: AB_TYPE, C_TYPE: component types of the operands, and of the accumulator and result
//         AB_BYTES: the size of an operand's component
//         A_COLUMNS, B_COLUMNS: 1 when A, B is stored by columns
//         SPLIT_K: 1 when K is split
//         C_VECTOR: with SPLIT_K, a vector of four C_TYPE
//         OVERLAP: 1 if M or N need not be a multiple of the tile
//         A_Q4: 1 when A is given in blocks of 32 four-bit numbers, as gemm_fast_subgroup.comp says, and decoded by the
//         load
//         DECODE_VECTOR: 1 when the load may decode four elements at once
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
#ifndef DECODE_VECTOR
#define DECODE_VECTOR 0
#endif
#if DECODE_VECTOR
#extension GL_NV_cooperative_matrix_decode_vector : require
#endif

#ifndef AB_TYPE
#define AB_TYPE float16_t
#define AB_BYTES 2
#endif
#ifndef C_TYPE
#define C_TYPE float32_t
#endif
#ifndef A_Q4
#define A_Q4 0
#endif
#ifndef SPLIT_K
#define SPLIT_K 0
#endif
#ifndef C_VECTOR
#define C_VECTOR f32vec4
#endif
#ifndef OVERLAP
#define OVERLAP 0
#endif
#ifndef A_COLUMNS
#define A_COLUMNS 0
#endif
#ifndef B_COLUMNS
#define B_COLUMNS 0
#endif

layout(constant_id = 0) const uint TILE_M = 128;
layout(constant_id = 1) const uint TILE_N = 256;
layout(constant_id = 2) const uint TILE_K = 64;
layout(local_size_x_id = 3, local_size_y = 1, local_size_z = 1) in;
layout(constant_id = 3) const uint INVOCATIONS = 256;
layout(constant_id = 4) const uint UNROLL = 4;
layout(constant_id = 5) const uint BAND = 8;
// The strides of A and B if they are known when the pipeline is made, else 0. Addresses need fewer registers if they are known.
layout(constant_id = 6) const uint STRIDE_A = 0;
layout(constant_id = 7) const uint STRIDE_B = 0;
#if SPLIT_K
layout(constant_id = 8) const uint SPLIT = 4;
#endif

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Operand { AB_TYPE x[]; };
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
struct Block { uint words[4]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Blocks { Block x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer BlockPointer { Block block; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Scales { float16_t x[]; };
#endif

layout(push_constant, scalar) uniform Parameters {
#if A_Q4
  Blocks a;
#else
  Operand a;
#endif
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
float16_t decode(const in BlockPointer pointer, const in uint32_t blockCoord[2], const in uint32_t coordInBlock[2]) {
  const uint element = coordInBlock[1] % 8;
  const uint word = pointer.block.words[coordInBlock[1] / 8];
  const uint number = word >> (element / 2 * 4 + element % 2 * 16) & 15;
  // The index comes from the block's address, which limits A to 4 GiB. One from blockCoord is computed again for each element.
  const float16_t scale = scales.x[uint(uint64_t(pointer) - uint64_t(a)) / 16];
  // The half with the bits 0x6400 + x has the value 1024 + x if x is below 1024. Conversions of integers would be slower.
  return scale * (unpackFloat2x16(number | 0x6400u).x - float16_t(1024 + 8));
}

#if DECODE_VECTOR
f16vec4 decodeFour(const in BlockPointer pointer, const in uint32_t blockCoord[2],
                   const in uint32_t coordInBlock[2]) {
  const uint word = pointer.block.words[coordInBlock[1] / 8] >> (coordInBlock[1] % 8 * 2);
  const float16_t scale = scales.x[uint(uint64_t(pointer) - uint64_t(a)) / 16];
  const f16vec2 low = unpackFloat2x16(word & 0x000f000fu | 0x64006400u) - float16_t(1024 + 8);
  const f16vec2 high = unpackFloat2x16(word >> 4 & 0x000f000fu | 0x64006400u) - float16_t(1024 + 8);
  return scale * f16vec4(low, high);
}
#define DECODE decode, decodeFour
#else
#define DECODE decode
#endif
#endif

#define MATRIX_A coopmat<AB_TYPE, gl_ScopeWorkgroup, TILE_M, TILE_K, gl_MatrixUseA>
#define MATRIX_B coopmat<AB_TYPE, gl_ScopeWorkgroup, TILE_K, TILE_N, gl_MatrixUseB>

void main() {
#if OVERLAP
  const uint tilesM = (m + TILE_M - 1) / TILE_M;
  const uint tilesN = (n + TILE_N - 1) / TILE_N;
#else
  const uint tilesM = m / TILE_M;
  const uint tilesN = n / TILE_N;
#endif
  const uint band = gl_WorkGroupID.x / (BAND * tilesN);
  const uint rowsOfBand = min(BAND, tilesM - band * BAND);
  const uint inBand = gl_WorkGroupID.x % (BAND * tilesN);
#if OVERLAP
  const uint row = min((band * BAND + inBand % rowsOfBand) * TILE_M, m - TILE_M) & ~15u;
  const uint column = min(inBand / rowsOfBand * TILE_N, n - TILE_N) & ~15u;
#else
  const uint row = (band * BAND + inBand % rowsOfBand) * TILE_M;
  const uint column = inBand / rowsOfBand * TILE_N;
#endif

  // Strides are multiples of 16 bytes, which the compiler cannot know: the mask tells it.
  const uint aligned = ~(16u / AB_BYTES - 1u);
  tensorLayoutNV<2> layoutA = createTensorLayoutNV(2);
#if A_Q4
  // The block size comes first: setting the dimensions computes the strides, which count blocks, from it.
  layoutA = setTensorLayoutBlockSizeNV(layoutA, 1, 32);
  layoutA = setTensorLayoutDimensionNV(layoutA, m, k);
#elif A_COLUMNS
  layoutA = setTensorLayoutDimensionNV(layoutA, k, m);
  layoutA = setTensorLayoutStrideNV(layoutA, STRIDE_A != 0 ? STRIDE_A : m & aligned, 1);
#else
  layoutA = setTensorLayoutDimensionNV(layoutA, m, k);
  layoutA = setTensorLayoutStrideNV(layoutA, STRIDE_A != 0 ? STRIDE_A : k & aligned, 1);
#endif
  tensorLayoutNV<2> layoutB = createTensorLayoutNV(2);
#if B_COLUMNS
  layoutB = setTensorLayoutDimensionNV(layoutB, n, k);
  layoutB = setTensorLayoutStrideNV(layoutB, STRIDE_B != 0 ? STRIDE_B : k & aligned, 1);
#else
  layoutB = setTensorLayoutDimensionNV(layoutB, k, n);
  layoutB = setTensorLayoutStrideNV(layoutB, STRIDE_B != 0 ? STRIDE_B : n & aligned, 1);
#endif
  tensorLayoutNV<2> layoutD = createTensorLayoutNV(2);
  layoutD = setTensorLayoutDimensionNV(layoutD, m, n);
  layoutD = setTensorLayoutStrideNV(layoutD, n & aligned, 1);

  tensorViewNV<2, false, 1, 0> transposed = createTensorViewNV(2, false, 1, 0);
#if A_Q4
#define LOAD_A(matrix, at) \
  coopMatLoadTensorNV(matrix, a.x, 0, sliceTensorLayoutNV(layoutA, row, TILE_M, at, TILE_K), DECODE)
#elif A_COLUMNS
#define LOAD_A(matrix, at) \
  coopMatLoadTensorNV(matrix, a.x, 0, sliceTensorLayoutNV(layoutA, at, TILE_K, row, TILE_M), transposed)
#else
#define LOAD_A(matrix, at) \
  coopMatLoadTensorNV(matrix, a.x, 0, sliceTensorLayoutNV(layoutA, row, TILE_M, at, TILE_K))
#endif
#if B_COLUMNS
#define LOAD_B(matrix, at) \
  coopMatLoadTensorNV(matrix, b.x, 0, sliceTensorLayoutNV(layoutB, column, TILE_N, at, TILE_K), transposed)
#else
#define LOAD_B(matrix, at) \
  coopMatLoadTensorNV(matrix, b.x, 0, sliceTensorLayoutNV(layoutB, at, TILE_K, column, TILE_N))
#endif

  coopmat<C_TYPE, gl_ScopeWorkgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator> sum =
      coopmat<C_TYPE, gl_ScopeWorkgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator>(C_TYPE(0));

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
  [[dont_unroll]] for (uint chunk = FIRST_K; chunk < END_K; chunk += UNROLL * TILE_K) {
    [[unroll]] for (uint step = 0; step < UNROLL; ++step) {
      MATRIX_A partA;
      MATRIX_B partB;
      LOAD_A(partA, chunk + step * TILE_K);
      LOAD_B(partB, chunk + step * TILE_K);
      sum = coopMatMulAdd(partA, partB, sum);
    }
  }

#if SPLIT_K
  if (SPLIT > 1) {
    const uint first = gl_WorkGroupID.x * SPLIT * TILE_M * TILE_N;
    coopMatStore(sum, partials.x, first + gl_WorkGroupID.y * TILE_M * TILE_N, TILE_N,
                 gl_CooperativeMatrixLayoutRowMajor);
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
    // gemm_fast_subgroup.comp has the same loop: each sample is a single file without includes.
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
  coopMatStoreTensorNV(sum, d.x, 0, sliceTensorLayoutNV(layoutD, row, TILE_M, column, TILE_N));
}
