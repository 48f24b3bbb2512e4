// O = softmax(Q * transpose(K) / sqrt(HEAD)) * V for each head, without ever storing the matrix of scores: the forward pass
// of attention with the softmax computed on the way ("online"), after Milakov and Gimelshein, "Online normalizer calculation
// for softmax" (2018), and Dao et al., "FlashAttention" (2022).
//
// A workgroup computes ROWS rows of one head's O. It walks over K and V in blocks of COLUMNS rows; for each row it keeps the
// maximum score so far and the sum of exponentials relative to it. When the maximum grows, the sums so far are scaled down.
// Maxima and sums are kept as matrices whose columns are all equal (a reduction along rows gives such a matrix), because
// components at equal positions of matrices of the same type can then be combined one by one.
//
// flash_attention_subgroup.comp is faster, and takes any lengths and grouped queries.
//
// Q, O: [heads][rows][HEAD]; K, V: [heads][columns][HEAD]; all are float16 except O, which is float32. rows must be a
// multiple of ROWS, columns a multiple of UNROLL * COLUMNS.
//
// Macros: CAUSAL: 1 if row i sees only the columns up to i
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_memory_scope_semantics : require

#ifndef CAUSAL
#define CAUSAL 0
#endif

layout(constant_id = 0) const uint ROWS = 64;
layout(constant_id = 1) const uint COLUMNS = 64;
layout(constant_id = 2) const uint HEAD = 128;
layout(local_size_x_id = 3, local_size_y = 1, local_size_z = 1) in;
// Blocks of COLUMNS rows of K and V in one iteration of the loop.
layout(constant_id = 4) const uint UNROLL = 1;

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Operand { float16_t x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Result { float x[]; };

layout(push_constant, scalar) uniform Parameters {
  Operand q;
  Operand k;
  Operand v;
  Result o;
  uint rows;
  uint columns;
  float scale;  // of the scores, times log2(e) because exponentials are to base 2
};

#define SCORES coopmat<float, gl_ScopeWorkgroup, ROWS, COLUMNS, gl_MatrixUseAccumulator>
#define OUTPUT coopmat<float, gl_ScopeWorkgroup, ROWS, HEAD, gl_MatrixUseAccumulator>

float larger(const in float a, const in float b) { return max(a, b); }
float added(const in float a, const in float b) { return a + b; }

// Far below every score, but finite, so that the difference of two of them is a number.
const float kNothing = -1e30;

#if CAUSAL
float visible(const in uint32_t row, const in uint32_t column, const in float score, const in uint firstRow,
              const in uint firstColumn) {
  return firstColumn + column <= firstRow + row ? score : kNothing;
}
#endif

void main() {
  const uint firstRow = gl_WorkGroupID.x * ROWS;
  const uint head = gl_WorkGroupID.y;

  tensorLayoutNV<2> layoutQ = createTensorLayoutNV(2);
  layoutQ = setTensorLayoutDimensionNV(layoutQ, rows, HEAD);
  tensorLayoutNV<2> layoutK = createTensorLayoutNV(2);
  layoutK = setTensorLayoutDimensionNV(layoutK, columns, HEAD);
  tensorViewNV<2, false, 1, 0> transposed = createTensorViewNV(2, false, 1, 0);
  const uint startQ = head * rows * HEAD;
  const uint startK = head * columns * HEAD;

  coopmat<float16_t, gl_ScopeWorkgroup, ROWS, HEAD, gl_MatrixUseA> partQ;
  coopMatLoadTensorNV(partQ, q.x, startQ, sliceTensorLayoutNV(layoutQ, firstRow, ROWS, 0, HEAD));

  OUTPUT result = OUTPUT(0.0);
  SCORES maximum = SCORES(kNothing);
  SCORES total = SCORES(0.0);

#if CAUSAL
  const uint end = min(columns, firstRow + ROWS);
#else
  const uint end = columns;
#endif
  // With CAUSAL, the last iteration may have blocks that no row sees: they add exp2(kNothing) = 0.
  [[dont_unroll]] for (uint first = 0; first < end; first += UNROLL * COLUMNS) {
    [[unroll]] for (uint step = 0; step < UNROLL; ++step) {
      const uint column = first + step * COLUMNS;
      coopmat<float16_t, gl_ScopeWorkgroup, HEAD, COLUMNS, gl_MatrixUseB> partK;
      coopMatLoadTensorNV(partK, k.x, startK, sliceTensorLayoutNV(layoutK, column, COLUMNS, 0, HEAD), transposed);
      coopmat<float16_t, gl_ScopeWorkgroup, COLUMNS, HEAD, gl_MatrixUseB> partV;
      // Loaded as early as possible: this makes causal attention 8 % faster on an H200.
      coopMatLoadTensorNV(partV, v.x, startK, sliceTensorLayoutNV(layoutK, column, COLUMNS, 0, HEAD));
      SCORES scores = SCORES(0.0);
      scores = coopMatMulAdd(partQ, partK, scores);
      scores *= scale;
#if CAUSAL
      if (column + COLUMNS > firstRow) coopMatPerElementNV(scores, scores, visible, firstRow, column);
#endif

      SCORES blockMaximum;
      coopMatReduceNV(blockMaximum, scores, gl_CooperativeMatrixReduceRowNV, larger);
      SCORES shrink;
      [[unroll]] for (uint i = 0; i < scores.length(); ++i) {
        const float grown = max(maximum[i], blockMaximum[i]);
        shrink[i] = exp2(maximum[i] - grown);
        maximum[i] = grown;
        scores[i] = exp2(scores[i] - grown);
        // Each component sums its own columns only; the sum over the row is taken once, at the end.
        total[i] = total[i] * shrink[i] + scores[i];
      }

      // All columns of `shrink` are equal, so their maximum is the same factor in the shape of the result.
      OUTPUT factor;
      coopMatReduceNV(factor, shrink, gl_CooperativeMatrixReduceRowNV, larger);
      [[unroll]] for (uint i = 0; i < result.length(); ++i) result[i] *= factor[i];

      coopmat<float16_t, gl_ScopeWorkgroup, ROWS, COLUMNS, gl_MatrixUseA> weights =
          coopmat<float16_t, gl_ScopeWorkgroup, ROWS, COLUMNS, gl_MatrixUseA>(scores);
      result = coopMatMulAdd(weights, partV, result);
    }
  }

  OUTPUT divisor;
  coopMatReduceNV(divisor, total, gl_CooperativeMatrixReduceRowNV, added);
  [[unroll]] for (uint i = 0; i < result.length(); ++i) result[i] /= divisor[i];
  coopMatStoreTensorNV(result, o.x, startQ, sliceTensorLayoutNV(layoutQ, firstRow, ROWS, 0, HEAD));
}
