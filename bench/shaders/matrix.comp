// The cooperative matrix shader of the start-up measurements: a workgroup scope product, then elementwise work and a reduction.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require

layout(local_size_x = 128) in;

layout(constant_id = 0) const uint TILE_M = 128;
layout(constant_id = 1) const uint TILE_N = 128;
layout(constant_id = 2) const uint TILE_K = 32;
layout(constant_id = 3) const bool BOUNDS = true;

layout(set = 0, binding = 0) readonly buffer InputA { float16_t x[]; } inputA;
layout(set = 0, binding = 1) readonly buffer InputB { float16_t x[]; } inputB;
layout(set = 0, binding = 2) readonly buffer InputC { float x[]; } inputC;
layout(set = 0, binding = 3) writeonly buffer OutputD { float x[]; } outputD;

layout(push_constant) uniform Params {
  uint M, N, K;
  uint strideA, strideB, strideC;
  float alpha, beta;
  float lower, upper;
} params;

#define ACCUMULATOR coopmat<float, gl_ScopeWorkgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator>

tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> makeLayout(uint rows, uint columns, uint stride) {
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> t =
      createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
  t = setTensorLayoutDimensionNV(t, rows, columns);
  return setTensorLayoutStrideNV(t, stride, 1);
}

float activate(const in uint row, const in uint column, const in float x, const in float lower, const in float upper) {
  if (BOUNDS && (row >= params.M || column >= params.N)) {
    return 0.0;
  }
  return clamp(x, lower, upper);
}

float larger(const in float a, const in float b) {
  return max(a, b);
}

void main() {
  const uint tileRow = gl_WorkGroupID.y * TILE_M;
  const uint tileColumn = gl_WorkGroupID.x * TILE_N;
  if (tileRow >= params.M || tileColumn >= params.N) {
    return;
  }

  ACCUMULATOR sum = ACCUMULATOR(0.0);
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> layoutA = makeLayout(params.M, params.K, params.strideA);
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> layoutB = makeLayout(params.K, params.N, params.strideB);
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> layoutC = makeLayout(params.M, params.N, params.strideC);

  for (uint k = 0; k < params.K; k += TILE_K) {
    coopmat<float16_t, gl_ScopeWorkgroup, TILE_M, TILE_K, gl_MatrixUseA> a;
    coopmat<float16_t, gl_ScopeWorkgroup, TILE_K, TILE_N, gl_MatrixUseB> b;
    coopMatLoadTensorNV(a, inputA.x, 0, sliceTensorLayoutNV(layoutA, tileRow, TILE_M, k, TILE_K));
    coopMatLoadTensorNV(b, inputB.x, 0, sliceTensorLayoutNV(layoutB, k, TILE_K, tileColumn, TILE_N));
    sum = coopMatMulAdd(a, b, sum);
  }

  ACCUMULATOR old;
  coopMatLoadTensorNV(old, inputC.x, 0, sliceTensorLayoutNV(layoutC, tileRow, TILE_M, tileColumn, TILE_N));
  sum = params.alpha * sum + params.beta * old;
  coopMatPerElementNV(sum, sum, activate, params.lower, params.upper);
  ACCUMULATOR rowMaximum;
  coopMatReduceNV(rowMaximum, sum, gl_CooperativeMatrixReduceRowNV, larger);
  sum = sum / rowMaximum;
  coopMatStoreTensorNV(sum, outputD.x, 0, sliceTensorLayoutNV(layoutC, tileRow, TILE_M, tileColumn, TILE_N));
}
