// Everything of GL_NV_cooperative_matrix2 at once.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x_id = 7) in;
layout(constant_id = 0) const uint M = 64;
layout(constant_id = 1) const uint N = 32;
layout(constant_id = 2) const uint clampMode = gl_CooperativeMatrixClampModeConstantNV;

layout(buffer_reference, scalar, buffer_reference_align = 2) buffer Block { float16_t scale; uint8_t q[16]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Halfs { float16_t x[]; };
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
layout(set = 0, binding = 1, scalar) buffer Blocks { uint8_t raw[]; } blocks;
layout(push_constant) uniform Push { Halfs halfs; int row; int col; uint count; } push;

float16_t decode(const in Block b, const in uint blockCoord[2], const in uint coordInBlock[2]) {
  const uint i = coordInBlock[1];
  const uint byte = uint(b.q[i & 15]);
  const uint nibble = i < 16 ? byte & 15 : byte >> 4;
  return float16_t(int(nibble) - 8) * b.scale;
}

float maximum(const in float a, const in float b) { return max(a, b); }
float scaleAndAdd(const in uint r, const in uint c, const in float x, const in float y, const in vec2 k, const in uint n) {
  return r < n ? x * k.x + y * k.y : float(c);
}
float16_t scaleAndAdd(const in uint r, const in uint c, const in float16_t x) { return x + float16_t(r + c); }

tensorLayoutNV<2, gl_CooperativeMatrixClampModeRepeatNV> gLayout;

tensorLayoutNV<2, clampMode> makeLayout(uint rows, uint columns) {
  tensorLayoutNV<2, clampMode> t = createTensorLayoutNV(2, clampMode);
  return setTensorLayoutDimensionNV(t, rows, columns);
}

void main() {
  coopmat<float16_t, gl_ScopeWorkgroup, M, N, gl_MatrixUseA> a;
  coopmat<float, gl_ScopeWorkgroup, M, N, gl_MatrixUseAccumulator> acc = coopmat<float, gl_ScopeWorkgroup, M, N, gl_MatrixUseAccumulator>(0.0);
  tensorLayoutNV<2, clampMode> t = makeLayout(push.count, 256);
  t = setTensorLayoutStrideNV(t, 512, 1);
  t = setTensorLayoutClampValueNV(t, 0x3c00);
  t = sliceTensorLayoutNV(t, push.row, M, push.col, N);
  coopMatLoadTensorNV(a, data.x, 0, t);
  coopMatLoadTensorNV(a, push.halfs.x, 0, t, createTensorViewNV(2, false, 1, 0));

  tensorLayoutNV<2> q = createTensorLayoutNV(2);
  q = setTensorLayoutBlockSizeNV(q, 1, 32);
  q = setTensorLayoutDimensionNV(q, push.count, 256);
  q = sliceTensorLayoutNV(q, push.row, M, push.col, N);
  coopMatLoadTensorNV(a, blocks.raw, 0, q, decode);
  tensorViewNV<2, true, 1, 0> v = createTensorViewNV(2, true, 1, 0);
  v = setTensorViewDimensionsNV(v, N, M);
  v = setTensorViewStrideNV(v, M, 1);
  v = setTensorViewClipNV(v, 0, 16, 0, 16);
  coopMatLoadTensorNV(a, blocks.raw, 0, q, v, decode);

  gLayout = createTensorLayoutNV(2, gl_CooperativeMatrixClampModeRepeatNV);
  gLayout = setTensorLayoutDimensionNV(gLayout, push.count, push.count);
  coopMatStoreTensorNV(a, data.x, 4096, gLayout, v);

  coopmat<float, gl_ScopeWorkgroup, M, N, gl_MatrixUseAccumulator> rowMax;
  coopMatReduceNV(rowMax, acc, gl_CooperativeMatrixReduceRowNV, maximum);
  coopmat<float, gl_ScopeWorkgroup, 32, 16, gl_MatrixUseAccumulator> all;
  coopMatReduceNV(all, acc, gl_CooperativeMatrixReduceRowAndColumnNV, maximum);
  coopmat<float, gl_ScopeWorkgroup, 16, 8, gl_MatrixUseAccumulator> quarter;
  coopMatReduceNV(quarter, all, gl_CooperativeMatrixReduce2x2NV, maximum);
  coopMatPerElementNV(acc, acc, scaleAndAdd, rowMax, vec2(0.5, push.count), push.count);

  coopmat<float16_t, gl_ScopeWorkgroup, M, N, gl_MatrixUseA> converted = coopmat<float16_t, gl_ScopeWorkgroup, M, N, gl_MatrixUseA>(acc);
  coopmat<float16_t, gl_ScopeWorkgroup, M, N, gl_MatrixUseAccumulator> half16 = coopmat<float16_t, gl_ScopeWorkgroup, M, N, gl_MatrixUseAccumulator>(acc);
  coopMatPerElementNV(half16, half16, scaleAndAdd);
  coopmat<float16_t, gl_ScopeWorkgroup, M, N, gl_MatrixUseB> sameType = coopmat<float16_t, gl_ScopeWorkgroup, M, N, gl_MatrixUseB>(half16);
  coopmat<float16_t, gl_ScopeWorkgroup, N, M, gl_MatrixUseB> turned;
  coopMatTransposeNV(turned, half16);
  coopMatStoreTensorNV(converted, data.x, 0, t);
  coopMatStoreTensorNV(turned, data.x, 0, setTensorLayoutDimensionNV(createTensorLayoutNV(2), N, M));
  coopMatStoreTensorNV(sameType, data.x, 0, t);
  coopMatStoreTensorNV(quarter, data.x, 0, t);
}
