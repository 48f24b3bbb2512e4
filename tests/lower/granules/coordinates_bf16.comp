// A product of bfloat16 whose operands are read component by component, at the coordinates that the device returns.
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_memory_scope_semantics : require

layout(local_size_x = 16) in;
layout(constant_id = 0) const uint M = 16;
layout(constant_id = 1) const uint N = 16;
layout(constant_id = 2) const uint K = 32;

layout(set = 0, binding = 0, std430) readonly buffer A { bfloat16_t x[]; } a;
layout(set = 0, binding = 1, std430) readonly buffer B { bfloat16_t x[]; } b;
layout(set = 0, binding = 2, std430) buffer D { float x[]; } d;

void main() {
  coopmat<bfloat16_t, gl_ScopeWorkgroup, M, K, gl_MatrixUseA> left;
  coopmat<bfloat16_t, gl_ScopeWorkgroup, K, N, gl_MatrixUseB> right;
  coopmat<float, gl_ScopeWorkgroup, M, N, gl_MatrixUseAccumulator> sum;
  for (uint i = 0; i < left.length(); ++i) {
    const uvec2 at = coopMatGetCoordinateEXT(left, i);
    left[i] = a.x[at.x * K + at.y];
  }
  for (uint i = 0; i < right.length(); ++i) {
    const uvec2 at = coopMatGetCoordinateEXT(right, i);
    right[i] = b.x[at.x * N + at.y];
  }
  sum = coopMatMulAdd(left, right, coopmat<float, gl_ScopeWorkgroup, M, N, gl_MatrixUseAccumulator>(0.0));
  coopMatStore(sum, d.x, 0, N, gl_CooperativeMatrixLayoutRowMajor);
}
