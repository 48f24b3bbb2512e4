// O = softmax(scale * Q * transpose(K)) * V for each head with subgroup scope matrices: the forward pass of attention for GPUs
// whose matrix units read their operands from registers. flash_attention.comp cites the papers and is the simpler one to read.
// This one takes any lengths, grouped queries and a causal mask with an offset, and it is faster.
//
// A subgroup owns TILES * MATRIX rows. Their part of Q, their scores, maxima and sums, and their part of O stay in its
// registers, so that the softmax needs no exchange between subgroups. The whole workgroup stages K and V through shared memory
// in blocks of COLUMNS rows. Rows in shared memory are padded by 16 bytes, so that the eight rows that one load of a matrix
// touches fall into different banks. If heads are long, SHARED_PARTS matrices of each row of Q can be kept in shared memory
// instead of registers.
//
// In blocks whose columns every row sees, maxima are raised, and sums rescaled, only if a score exceeds its row's maximum by more
// than SLACK powers of two, which seldom happens after the first blocks. To do so, the whole workgroup leaves the inner loop,
// because the loop contains barriers. (A branch inside the loop would cost as much as the rescaling.) In the inner loop, a load
// from memory starts half a block's work before its data is stored to shared memory: K of the next block is loaded during the
// products with V, and V during the products with K. There is one barrier after each half.
//
// The remaining columns, and those that only some rows see, are taken one matrix at a time; the maxima are raised for each.
//
// Columns of a block that a row must not see get the weight 0 in that row. If V is infinite or a NaN there, the row's component
// therefore becomes a NaN.
//
// Q, O: [heads][rows][HEAD]; K, V: [heads / group][columns][HEAD]; O is float32. With CAUSAL, row i sees the columns up to
// i + offset; a row that sees no column becomes 0. HEAD must be a multiple of MATRIX and of 8, COLUMNS a multiple of MATRIX.
//
// Macros: CAUSAL: 1 to apply the causal mask
//         AB_TYPE: component type of Q, K and V; it has 16 bits
//         READONLY: 1 to declare Q, K and V `readonly`; drivers may then load them in another way, which is not always faster
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
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

#ifndef CAUSAL
#define CAUSAL 0
#endif
#ifndef AB_TYPE
#define AB_TYPE float16_t
#endif
#ifndef READONLY
#define READONLY 0
#endif
#if READONLY
#define INPUT readonly
#else
#define INPUT
#endif

layout(constant_id = 0) const uint TILES = 1;
layout(constant_id = 1) const uint COLUMNS = 64;
layout(constant_id = 2) const uint HEAD = 128;
layout(local_size_x_id = 3, local_size_y = 1, local_size_z = 1) in;
layout(constant_id = 3) const uint INVOCATIONS = 256;
layout(constant_id = 4) const uint SUBGROUPS = 8;
// The rows, columns and depth of one coopMatMulAdd.
layout(constant_id = 5) const uint MATRIX = 16;
// The number of consecutive components of an accumulator, from a multiple of this number on, that lie in the same row: a property
// of the device, which cooplayout shows. Values that are equal along a row are then kept once for all of these. 1 works everywhere.
layout(constant_id = 6) const uint SAME_ROW = 1;
layout(constant_id = 7) const uint SHARED_PARTS = 0;
// A row's maximum is raised if a score exceeds it by more than this many powers of two; above 0. Weights of f16 have room for 15.
layout(constant_id = 8) const float SLACK = 8.0;

layout(buffer_reference, std430, buffer_reference_align = 16) INPUT buffer Vectors { uvec4 x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Result { float x[]; };

layout(push_constant, scalar) uniform Parameters {
  Vectors q;
  Vectors k;
  Vectors v;
  Result o;
  uint rows;
  uint columns;
  uint group;   // heads of Q that share a head of K and V
  int offset;   // with CAUSAL: row i sees the columns up to i + offset
  float scale;  // of the scores, times log2(e) because exponentials are to base 2; above 0
};

const uint kRowsOfSubgroup = TILES * MATRIX;
const uint kRows = SUBGROUPS * kRowsOfSubgroup;
const uint kParts = HEAD / MATRIX;      // matrices along a row of Q, K, V and O
const uint kKept = kParts - SHARED_PARTS;  // how many matrices of a row of Q are in registers
const uint kBlocks = COLUMNS / MATRIX;  // matrices along a row of scores

// K, V and Q move in vectors of 16 bytes.
const uint kVectorsInRow = HEAD / 8;
const uint kVectorsInMatrix = MATRIX / 8;
const uint kStride = kVectorsInRow + 1;
const uint kVectorsInBlock = COLUMNS * kVectorsInRow;
const uint kVectors = (kVectorsInBlock + INVOCATIONS - 1) / INVOCATIONS;  // vectors that each invocation moves
shared uvec4 tileK[COLUMNS * kStride];
// At the end, tileV also holds a matrix of results for each subgroup.
const uint kVectorsOfResults = SUBGROUPS * MATRIX * MATRIX / 4;
shared uvec4 tileV[COLUMNS * kStride > kVectorsOfResults ? COLUMNS * kStride : kVectorsOfResults];
const uint kStrideQ = SHARED_PARTS * kVectorsInMatrix + 1;
shared uvec4 tileQ[SHARED_PARTS == 0 ? 1 : kRows * kStrideQ];

#define ACCUMULATOR coopmat<float, gl_ScopeSubgroup, MATRIX, MATRIX, gl_MatrixUseAccumulator>
#define OPERAND_A coopmat<AB_TYPE, gl_ScopeSubgroup, MATRIX, MATRIX, gl_MatrixUseA>
#define OPERAND_B coopmat<AB_TYPE, gl_ScopeSubgroup, MATRIX, MATRIX, gl_MatrixUseB>

OPERAND_A partQ[TILES * (kKept == 0 ? 1 : kKept)];
ACCUMULATOR scores[TILES * kBlocks];
OPERAND_A weights[TILES * kBlocks];  // exponentials of the scores
ACCUMULATOR result[TILES * kParts];
// Values of rows, equal in all columns: a reduction along rows gives such a matrix, and components at equal positions can then
// be combined one by one. Only components at multiples of SAME_ROW are used; each stands for those after it as well.
ACCUMULATOR maximum[TILES];
ACCUMULATOR shrink[TILES];  // factor for the sums from before the last change of the maximum
ACCUMULATOR total[TILES];   // each component sums its own columns; the row's sum is taken once, at the end
uint ofRow(const in uint component) { return component / SAME_ROW * SAME_ROW; }

// The first column of the last block in which a score exceeded its row's maximum by more than SLACK.
shared uint grownAt;

// The next block of K or V, on its way from memory.
uvec4 moving[kVectors];

// The rows of Q arrive in chunks of COLUMNS rows.
const uint kChunks = (kRows + COLUMNS - 1) / COLUMNS;
uvec4 movingQ[kChunks][kVectors];

// The initial maximum, below every score. Scores that a row must not see are far below even that, so that their exponentials
// are 0 even in rows that see no column. Both are finite, so that the difference of two of them is a number.
const float kNothing = -1e30;
const float kHidden = -3e38;

float larger(const in float a, const in float b) { return max(a, b); }
float added(const in float a, const in float b) { return a + b; }

// lastSeen: the last column that the matrix's first row sees; lastColumn: the last column of K; both relative to the matrix.
float visible(const in uint32_t row, const in uint32_t column, const in float score, const in int lastSeen,
              const in int lastColumn) {
#if CAUSAL
  return int(column) <= min(lastSeen + int(row), lastColumn) ? score : kHidden;
#else
  return int(column) <= lastColumn ? score : kHidden;
#endif
}

// Fetches the block of rows that begins at `row`; rows are HEAD long. Rows at and after `end` are 0. If `known`, the whole block lies
// before `end` and is not compared with it. (Some invocations may move vectors after the block's end: these are compared.)
void fetch(out uvec4 to[kVectors], const Vectors from, const uint start, const uint row, const uint end, const bool known) {
  [[unroll]] for (uint i = 0; i < kVectors; ++i) {
    const uint e = gl_LocalInvocationIndex + i * INVOCATIONS;
    const uint at = row * kVectorsInRow + e;
    if (known && (kVectorsInBlock % INVOCATIONS == 0 || e < kVectorsInBlock)) {
      to[i] = from.x[start + at];
    } else {
      to[i] = at < end * kVectorsInRow ? from.x[start + at] : uvec4(0);
    }
  }
}

// `isV` is a constant in each call.
void stage(const uvec4 from[kVectors], const bool isV) {
  [[unroll]] for (uint i = 0; i < kVectors; ++i) {
    const uint e = gl_LocalInvocationIndex + i * INVOCATIONS;
    if (kVectorsInBlock % INVOCATIONS != 0 && e >= kVectorsInBlock) continue;
    const uint at = e / kVectorsInRow * kStride + e % kVectorsInRow;
    if (isV) {
      tileV[at] = from[i];
    } else {
      tileK[at] = from[i];
    }
  }
}

// Takes matrix `part` of the rows of tile `t` of Q, from registers or shared memory.
void takeQ(out OPERAND_A ofQ, const uint t, const uint part) {
  if (part < kKept) {
    ofQ = partQ[t * kKept + part];
  } else {
    coopMatLoad(ofQ, tileQ, (gl_SubgroupID * kRowsOfSubgroup + t * MATRIX) * kStrideQ + (part - kKept) * kVectorsInMatrix, kStrideQ,
                gl_CooperativeMatrixLayoutRowMajor);
  }
}

// Computes the scores of the block in tileK.
void multiplyK() {
  [[unroll]] for (uint part = 0; part < kParts; ++part) {
    OPERAND_A ofQ[TILES];
    [[unroll]] for (uint t = 0; t < TILES; ++t) takeQ(ofQ[t], t, part);
    [[unroll]] for (uint j = 0; j < kBlocks; ++j) {
      OPERAND_B partK;
      coopMatLoad(partK, tileK, j * MATRIX * kStride + part * kVectorsInMatrix, kStride, gl_CooperativeMatrixLayoutColumnMajor);
      [[unroll]] for (uint t = 0; t < TILES; ++t) {
        const uint s = t * kBlocks + j;
        if (part == 0) scores[s] = ACCUMULATOR(0.0);
        scores[s] = coopMatMulAdd(ofQ[t], partK, scores[s]);
      }
    }
  }
}

// Adds the products of the weights and the block in tileV to the results.
void multiplyV() {
  [[unroll]] for (uint j = 0; j < kBlocks; ++j) {
    [[unroll]] for (uint part = 0; part < kParts; ++part) {
      OPERAND_B partV;
      coopMatLoad(partV, tileV, j * MATRIX * kStride + part * kVectorsInMatrix, kStride, gl_CooperativeMatrixLayoutRowMajor);
      [[unroll]] for (uint t = 0; t < TILES; ++t) {
        result[t * kParts + part] = coopMatMulAdd(weights[t * kBlocks + j], partV, result[t * kParts + part]);
      }
    }
  }
}

// Raises the tile's maxima to the row maxima of `own`. The caller must rescale the tile's sums.
void raise(const uint t, ACCUMULATOR own) {
  [[unroll]] for (uint i = 0; i < own.length(); ++i) own[i] = own[ofRow(i)];
  ACCUMULATOR highest;
  coopMatReduceNV(highest, own, gl_CooperativeMatrixReduceRowNV, larger);
  [[unroll]] for (uint i = 0; i < own.length(); i += SAME_ROW) {
    shrink[t][i] = exp2((maximum[t][i] - highest[i]) * scale);
    maximum[t][i] = highest[i];
  }
}

void rescaleTile(const uint t) {
  [[unroll]] for (uint i = 0; i < total[t].length(); i += SAME_ROW) total[t][i] *= shrink[t][i];
  [[unroll]] for (uint part = 0; part < kParts; ++part) {
    [[unroll]] for (uint i = 0; i < shrink[t].length(); ++i) result[t * kParts + part][i] *= shrink[t][ofRow(i)];
  }
}

// Raises the maxima to at least the scores. The caller must rescale the sums.
void raiseMaxima() {
  [[unroll]] for (uint t = 0; t < TILES; ++t) {
    ACCUMULATOR own = maximum[t];
    [[unroll]] for (uint j = 0; j < kBlocks; ++j) {
      [[unroll]] for (uint i = 0; i < own.length(); ++i) own[ofRow(i)] = max(own[ofRow(i)], scores[t * kBlocks + j][i]);
    }
    raise(t, own);
  }
}

void rescale() {
  [[unroll]] for (uint t = 0; t < TILES; ++t) rescaleTile(t);
}

// Checks whether the maxima may stay. If not, the whole workgroup finds `column` in grownAt after the next barrier.
void compareMaxima(const uint column) {
  bool grown = false;
  [[unroll]] for (uint t = 0; t < TILES; ++t) {
    ACCUMULATOR own;
    [[unroll]] for (uint j = 0; j < kBlocks; ++j) {
      [[unroll]] for (uint i = 0; i < own.length(); ++i) {
        // Starting from a constant instead would cost 1 % of the total time.
        const bool first = j == 0 && i == ofRow(i);
        own[ofRow(i)] = first ? scores[t * kBlocks + j][i] : max(own[ofRow(i)], scores[t * kBlocks + j][i]);
      }
    }
    [[unroll]] for (uint i = 0; i < own.length(); i += SAME_ROW) {
      grown = grown || fma(own[i], scale, -maximum[t][i] * scale) > SLACK;
    }
  }
  if (grown) atomicMax(grownAt, column);  // Blocks come in ascending order.
}

// Replaces the scores in matrix `s`, which belongs to tile `t`, by their exponentials, and adds these to the tile's sums.
void takeExponentialsOf(const uint t, const uint s) {
  [[unroll]] for (uint i = 0; i < total[t].length(); ++i) {
    scores[s][i] = exp2(fma(scores[s][i], scale, -maximum[t][ofRow(i)] * scale));
    total[t][ofRow(i)] += scores[s][i];
  }
  weights[s] = OPERAND_A(scores[s]);
}

void takeExponentials() {
  [[unroll]] for (uint t = 0; t < TILES; ++t) {
    [[unroll]] for (uint j = 0; j < kBlocks; ++j) takeExponentialsOf(t, t * kBlocks + j);
  }
}

// Adds the first `matrices` matrices of columns of a block to the results, one after the other. K and V are in shared memory. Blocks
// that every row sees leave few columns over, which are not worth a whole block.
void addMatrices(const uint row, const uint column, const uint matrices) {
  [[dont_unroll]] for (uint j = 0; j < matrices; ++j) {
    [[unroll]] for (uint t = 0; t < TILES; ++t) scores[t] = ACCUMULATOR(0.0);
    [[unroll]] for (uint part = 0; part < kParts; ++part) {
      OPERAND_B partK;
      coopMatLoad(partK, tileK, j * MATRIX * kStride + part * kVectorsInMatrix, kStride, gl_CooperativeMatrixLayoutColumnMajor);
      [[unroll]] for (uint t = 0; t < TILES; ++t) {
        OPERAND_A ofQ;
        takeQ(ofQ, t, part);
        scores[t] = coopMatMulAdd(ofQ, partK, scores[t]);
      }
    }
    const int first = int(column + j * MATRIX);
    [[unroll]] for (uint t = 0; t < TILES; ++t) {
      coopMatPerElementNV(scores[t], scores[t], visible, int(row + t * MATRIX) + offset - first, int(columns) - 1 - first);
      ACCUMULATOR own = maximum[t];
      [[unroll]] for (uint i = 0; i < own.length(); ++i) own[ofRow(i)] = max(own[ofRow(i)], scores[t][i]);
      raise(t, own);
      rescaleTile(t);
      takeExponentialsOf(t, t);
    }
    [[unroll]] for (uint part = 0; part < kParts; ++part) {
      OPERAND_B partV;
      coopMatLoad(partV, tileV, j * MATRIX * kStride + part * kVectorsInMatrix, kStride, gl_CooperativeMatrixLayoutRowMajor);
      [[unroll]] for (uint t = 0; t < TILES; ++t) {
        result[t * kParts + part] = coopMatMulAdd(weights[t], partV, result[t * kParts + part]);
      }
    }
  }
}

// The first half of the work on a block that every row sees: its scores. V is on its way, and is in shared memory afterwards.
// The first block sets the maxima; scores of later blocks are compared with them.
void findScores(const uint column, const bool isFirst) {
  multiplyK();
  if (isFirst) {
    raiseMaxima();
  } else {
    compareMaxima(column);
  }
  stage(moving, true);
  barrier();  // V is there, and all invocations are done with K.
}

// The second half: adds the block's values to the results. Afterwards K of the next block is in shared memory and its V is on its
// way. If `known`, all columns of the next block exist (see fetch).
void addValues(const uint startK, const uint column, const bool known) {
  fetch(moving, k, startK, column + COLUMNS, columns, known);
  takeExponentials();
  multiplyV();
  stage(moving, false);
  barrier();  // K is there, and all invocations are done with V.
  fetch(moving, v, startK, column + COLUMNS, columns, known);
}

// Keeps the last SHARED_PARTS matrices of the rows of Q that were fetched, from row `chunk` on, in shared memory.
void keepQ(const uvec4 from[kVectors], const uint chunk) {
  [[unroll]] for (uint i = 0; i < kVectors; ++i) {
    const uint e = gl_LocalInvocationIndex + i * INVOCATIONS;
    const uint row = chunk + e / kVectorsInRow;
    const uint vector = e % kVectorsInRow;
    if (e < kVectorsInBlock && row < kRows && vector >= kKept * kVectorsInMatrix) {
      tileQ[row * kStrideQ + vector - kKept * kVectorsInMatrix] = from[i];
    }
  }
}

// Loads the subgroup's rows of Q from movingQ by way of shared memory, because a matrix may extend beyond the last row.
void loadQ() {
  [[unroll]] for (uint chunk = 0; chunk < kRows; chunk += COLUMNS) {
    stage(movingQ[chunk / COLUMNS], false);
    if (SHARED_PARTS > 0) keepQ(movingQ[chunk / COLUMNS], chunk);
    barrier();
    [[unroll]] for (uint t = 0; t < TILES; ++t) {
      const uint own = gl_SubgroupID * kRowsOfSubgroup + t * MATRIX;
      if (own < chunk || own >= chunk + COLUMNS) continue;
      [[unroll]] for (uint part = 0; part < kKept; ++part) {
        coopMatLoad(partQ[t * kKept + part], tileK, (own - chunk) * kStride + part * kVectorsInMatrix, kStride,
                    gl_CooperativeMatrixLayoutRowMajor);
      }
    }
    barrier();
  }
}

// `allThere`: all rows of the workgroup exist.
void storeResult(const uint startO, const uint row, const bool allThere) {
  [[unroll]] for (uint t = 0; t < TILES; ++t) {
    [[unroll]] for (uint i = 0; i < total[t].length(); ++i) {
      if (i % SAME_ROW != 0) total[t][i] = 0.0;
    }
    ACCUMULATOR divisor;
    coopMatReduceNV(divisor, total[t], gl_CooperativeMatrixReduceRowNV, added);
    // Rows that see no column become 0.
    [[unroll]] for (uint i = 0; i < divisor.length(); ++i) divisor[i] = divisor[i] > 0.0 ? 1.0 / divisor[i] : 0.0;
    const uint first = row + t * MATRIX;
    [[unroll]] for (uint part = 0; part < kParts; ++part) {
      [[unroll]] for (uint i = 0; i < divisor.length(); ++i) result[t * kParts + part][i] *= divisor[i];
      if (allThere) {
        coopMatStore(result[t * kParts + part], o.x, startO + first * HEAD + part * MATRIX, HEAD,
                     gl_CooperativeMatrixLayoutRowMajor);
      } else {
        // The last rows go through the subgroup's own part of shared memory, where a vector has four components.
        const uint place = gl_SubgroupID * (MATRIX * MATRIX / 4);
        coopMatStore(result[t * kParts + part], tileV, place, MATRIX / 4, gl_CooperativeMatrixLayoutRowMajor);
        barrier();
        const uint there = first < rows ? min(rows - first, MATRIX) * MATRIX : 0;
        for (uint e = gl_SubgroupInvocationID; e < there; e += gl_SubgroupSize) {
          const uint at = startO + (first + e / MATRIX) * HEAD + part * MATRIX + e % MATRIX;
          o.x[at] = uintBitsToFloat(tileV[place + e / 4][e % 4]);
        }
        barrier();
      }
    }
  }
}

void main() {
  // With CAUSAL, the rows with most columns come first, so that the workgroups that start last finish soon.
  const uint group_ = CAUSAL != 0 ? gl_NumWorkGroups.x - 1 - gl_WorkGroupID.x : gl_WorkGroupID.x;
  const uint firstRow = group_ * kRows;
  const uint row = firstRow + gl_SubgroupID * kRowsOfSubgroup;
  const uint head = gl_WorkGroupID.y;
  const uint startQ = head * rows * kVectorsInRow;
  const uint startK = head / group * columns * kVectorsInRow;

  // Everything that the first block needs is fetched at once.
  [[unroll]] for (uint i = 0; i < kChunks; ++i) fetch(movingQ[i], q, startQ, firstRow + i * COLUMNS, rows, false);
  uvec4 firstK[kVectors];
  fetch(firstK, k, startK, 0, columns, false);
  fetch(moving, v, startK, 0, columns, false);
  loadQ();
  [[unroll]] for (uint i = 0; i < TILES * kParts; ++i) result[i] = ACCUMULATOR(0.0);
  [[unroll]] for (uint t = 0; t < TILES; ++t) {
    maximum[t] = ACCUMULATOR(kNothing);
    total[t] = ACCUMULATOR(0.0);
  }

  // The ends of the columns that some row sees and of the whole blocks that all rows see. At least one column is taken.
#if CAUSAL
  const uint end = uint(clamp(int(firstRow + kRows) + offset, 1, int(columns)));
  const uint whole = uint(clamp(int(firstRow) + offset + 1, 0, int(columns))) / COLUMNS * COLUMNS;
#else
  const uint end = columns;
  const uint whole = columns / COLUMNS * COLUMNS;
#endif

  if (gl_LocalInvocationIndex == 0) grownAt = 0;
  stage(firstK, false);
  barrier();
  uint column = 0;
  if (whole > 0) {
    findScores(0, true);
    rescale();
    // Runs while the next block is one that every row sees. It starts with the maxima of the block before.
    [[dont_unroll]] while (column + 2 * COLUMNS <= whole) {
      bool within;
      [[dont_unroll]] do {
        addValues(startK, column, true);
        column += COLUMNS;
        findScores(column, false);
        within = grownAt != column;
      } while (within && column + 2 * COLUMNS <= whole);
      raiseMaxima();
      rescale();
    }
    addValues(startK, column, false);
    column += COLUMNS;
  }
  // Blocks that some rows see in part. The number of matrices is the same in all subgroups, because drivers may implement matrix
  // operations with barriers of the whole workgroup.
  [[dont_unroll]] while (column < end) {
    stage(moving, true);
    barrier();
    addMatrices(row, column, min((end - column + MATRIX - 1) / MATRIX, kBlocks));
    column += COLUMNS;
    if (column < end) {
      fetch(moving, k, startK, column, columns, false);
      barrier();
      stage(moving, false);
      fetch(moving, v, startK, column, columns, false);
    }
  }
  barrier();
  storeResult(head * rows * HEAD, row, firstRow + kRows <= rows);
}
