// O = softmax(scale * Q * transpose(K)) * V for each head with subgroup scope matrices: the forward pass of attention for GPUs
// whose matrix units are fed from registers. flash_attention.comp says where the algorithm comes from and is the simpler one
// to read; this one takes any lengths, grouped queries and a causal mask with an offset, and is faster.
//
// A subgroup owns TILES * MATRIX rows: their part of Q, their scores, their maxima and sums, and their part of O stay in its
// registers, and so does the softmax: nothing of it is shared between subgroups. K and V are staged through shared memory in
// blocks of COLUMNS rows by the whole workgroup. Rows in shared memory are 16 bytes longer than what they hold, so that the eight
// rows that one load of a matrix touches fall into different banks. Long heads can keep SHARED_PARTS matrices of each row of Q in
// shared memory instead of registers.
//
// In blocks that every row sees all of, maxima are raised, and sums rescaled, only when a score exceeds its row's maximum by more than
// SLACK powers of two, which is seldom after the first blocks. For it the workgroup leaves the inner loop, all subgroups at once, as
// there are barriers in it. (A branch inside the loop costs as much as the rescaling.) There, what comes from memory is loaded half a
// block's work before it is stored to shared memory: K of the next block during the products with V, V during the products with K, with
// one barrier after each half.
//
// Columns that are left over, and those that only some rows see, are taken a matrix at a time, with the maxima raised for each.
//
// Where a block holds columns that a row must not see, these have the weight 0, and so an infinity or a NaN of V in one of them makes
// that row's component NaN.
//
// Q, O: [heads][rows][HEAD]; K, V: [heads / group][columns][HEAD]; O is float32. Where CAUSAL, row i sees the columns up to
// i + offset; a row that sees none becomes 0. HEAD must be a multiple of MATRIX and of 8, COLUMNS one of MATRIX.
//
// Macros: CAUSAL: 1 when rows see only the columns up to their own
//         AB_TYPE: component type of Q, K and V, of 16 bits
//         READONLY: 1 when Q, K and V are declared so: a driver may then load them in another way, which is not always the faster one
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
// Rows, columns and depth of the matrices that one coopMatMulAdd takes.
layout(constant_id = 5) const uint MATRIX = 16;
// How many components of an accumulator, one after the other from a multiple of this on, lie in the same row in each invocation: a
// property of the device, which cooplayout shows. What is the same for a row is then kept once. 1 holds everywhere.
layout(constant_id = 6) const uint SAME_ROW = 1;
layout(constant_id = 7) const uint SHARED_PARTS = 0;
// By how many powers of two a score may exceed its row's maximum before that is raised; above 0. Weights of f16 leave room for 15.
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
  uint group;   // heads that share a head of K and V
  int offset;   // with CAUSAL: row i sees the columns up to i + offset
  float scale;  // of the scores, times log2(e): exponentials are to base 2; above 0
};

const uint kRowsOfSubgroup = TILES * MATRIX;
const uint kRows = SUBGROUPS * kRowsOfSubgroup;
const uint kParts = HEAD / MATRIX;      // matrices along a row of Q, K, V and O
const uint kKept = kParts - SHARED_PARTS;  // of those of Q, how many are in registers
const uint kBlocks = COLUMNS / MATRIX;  // matrices along a row of scores

// K, V and Q move in vectors of 16 bytes.
const uint kVectorsInRow = HEAD / 8;
const uint kVectorsInMatrix = MATRIX / 8;
const uint kStride = kVectorsInRow + 1;
const uint kVectorsInBlock = COLUMNS * kVectorsInRow;
const uint kVectors = (kVectorsInBlock + INVOCATIONS - 1) / INVOCATIONS;  // that each invocation moves
shared uvec4 tileK[COLUMNS * kStride];
// At the end also a matrix of results for each subgroup.
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
// Of each row, the same in all columns: a reduction along rows gives such a matrix, and components of equal position can then
// be combined one by one. Only components at multiples of SAME_ROW are used: they stand for those after them.
ACCUMULATOR maximum[TILES];
ACCUMULATOR shrink[TILES];  // what sums from before the last change of the maximum are multiplied with
ACCUMULATOR total[TILES];   // each component sums its own columns; the row's sum is taken once, at the end
uint ofRow(const in uint component) { return component / SAME_ROW * SAME_ROW; }

// Where the last block begins of which a score exceeded a maximum by more than SLACK.
shared uint grownAt;

// The next block of K or V, on its way from memory.
uvec4 moving[kVectors];

// The rows of Q arrive in chunks of COLUMNS rows.
const uint kChunks = (kRows + COLUMNS - 1) / COLUMNS;
uvec4 movingQ[kChunks][kVectors];

// What a maximum begins with: below every score. Scores that a row must not see are far below even that, so that their
// exponentials are 0 also in rows that see nothing. Both are finite: the difference of two of them is a number.
const float kNothing = -1e30;
const float kHidden = -3e38;

float larger(const in float a, const in float b) { return max(a, b); }
float added(const in float a, const in float b) { return a + b; }

// lastSeen: the last column that the first row of the matrix sees, relative to the matrix, and the same for the end of K.
float visible(const in uint32_t row, const in uint32_t column, const in float score, const in int lastSeen,
              const in int lastColumn) {
#if CAUSAL
  return int(column) <= min(lastSeen + int(row), lastColumn) ? score : kHidden;
#else
  return int(column) <= lastColumn ? score : kHidden;
#endif
}

// Rows from `row` on of a matrix whose rows are HEAD long. Rows at and after `end` are 0, unless the whole block is `known` to be there.
// (Where the invocations move more vectors than a block has, the rest is not.)
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

// `isV` is constant where it is called.
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

// The matrix `part` of the rows of tile `t` of Q.
void takeQ(out OPERAND_A ofQ, const uint t, const uint part) {
  if (part < kKept) {
    ofQ = partQ[t * kKept + part];
  } else {
    coopMatLoad(ofQ, tileQ, (gl_SubgroupID * kRowsOfSubgroup + t * MATRIX) * kStrideQ + (part - kKept) * kVectorsInMatrix, kStrideQ,
                gl_CooperativeMatrixLayoutRowMajor);
  }
}

// The scores of the block in tileK.
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

// Sums of the block in tileV.
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

// The tile's maxima become those of `own`. Its sums are to be rescaled.
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

// Maxima that are not below the scores. Sums are to be rescaled.
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

// Whether the maxima may stay: known to the workgroup behind the next barrier, in grownAt.
void compareMaxima(const uint column) {
  bool grown = false;
  [[unroll]] for (uint t = 0; t < TILES; ++t) {
    ACCUMULATOR own;
    [[unroll]] for (uint j = 0; j < kBlocks; ++j) {
      [[unroll]] for (uint i = 0; i < own.length(); ++i) {
        // Not begun with a constant, which costs 1 % of the whole time.
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

// Of the matrix of scores `s`, which belongs to tile `t`.
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

// What the first `matrices` matrices of columns of a block add, one after the other. K and V are in shared memory. Little is left over
// by blocks that every row sees all of, and it is not worth a whole block.
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

// The first half of the work for a block that every row sees all of: its scores. V is on its way, and in shared memory afterwards.
// Maxima come from the first block, and are compared with the others.
void findScores(const uint column, const bool isFirst) {
  multiplyK();
  if (isFirst) {
    raiseMaxima();
  } else {
    compareMaxima(column);
  }
  stage(moving, true);
  barrier();  // V is there, and everybody is done with K.
}

// The second half: what the block adds to the sums. K of the next block is in shared memory afterwards, and its V on its way; all of
// that block is `known` to be there or not.
void addValues(const uint startK, const uint column, const bool known) {
  fetch(moving, k, startK, column + COLUMNS, columns, known);
  takeExponentials();
  multiplyV();
  stage(moving, false);
  barrier();  // K is there, and everybody is done with V.
  fetch(moving, v, startK, column + COLUMNS, columns, known);
}

// The last SHARED_PARTS matrices of the rows of Q that were fetched, which are those from `chunk` on.
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

// The subgroup's rows of Q, which are on their way in movingQ, by way of shared memory: a matrix may lie across the last row.
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

// `allThere`: no row of the workgroup lies behind the last.
void storeResult(const uint startO, const uint row, const bool allThere) {
  [[unroll]] for (uint t = 0; t < TILES; ++t) {
    [[unroll]] for (uint i = 0; i < total[t].length(); ++i) {
      if (i % SAME_ROW != 0) total[t][i] = 0.0;
    }
    ACCUMULATOR divisor;
    coopMatReduceNV(divisor, total[t], gl_CooperativeMatrixReduceRowNV, added);
    // Rows that see nothing are 0.
    [[unroll]] for (uint i = 0; i < divisor.length(); ++i) divisor[i] = divisor[i] > 0.0 ? 1.0 / divisor[i] : 0.0;
    const uint first = row + t * MATRIX;
    [[unroll]] for (uint part = 0; part < kParts; ++part) {
      [[unroll]] for (uint i = 0; i < divisor.length(); ++i) result[t * kParts + part][i] *= divisor[i];
      if (allThere) {
        coopMatStore(result[t * kParts + part], o.x, startO + first * HEAD + part * MATRIX, HEAD,
                     gl_CooperativeMatrixLayoutRowMajor);
      } else {
        // The last rows, by way of the subgroup's own place in shared memory: four components to a vector there.
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
  // With CAUSAL the longest first: what begins last ends soonest.
  const uint group_ = CAUSAL != 0 ? gl_NumWorkGroups.x - 1 - gl_WorkGroupID.x : gl_WorkGroupID.x;
  const uint firstRow = group_ * kRows;
  const uint row = firstRow + gl_SubgroupID * kRowsOfSubgroup;
  const uint head = gl_WorkGroupID.y;
  const uint startQ = head * rows * kVectorsInRow;
  const uint startK = head / group * columns * kVectorsInRow;

  // All that the first block needs is on its way at once.
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

  // Columns that some row sees, and those of whole blocks that all see. One column is taken even where no row sees it.
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
    // As long as the next block is such a one. The first of them may be taken with the maxima of the block before.
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
  // Those that some row sees some of. The number of matrices is the same in all subgroups, as drivers may make their barriers the
  // workgroup's.
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
