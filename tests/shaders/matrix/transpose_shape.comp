// TransposeShape: the only rule that this program breaks.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require

layout(local_size_x = 32) in;
layout(constant_id = 0) const uint M = 16;
layout(constant_id = 1) const uint N = 16;
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
layout(set = 0, binding = 1) buffer Words { uint pad; uint x[]; } words;
#define MAT(T, R, C, U) coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUse##U>

void main() {
  MAT(float, 16, 16, Accumulator) m = MAT(float, 16, 16, Accumulator)(0.0);
  MAT(float, 16, 8, B) a;
  coopMatTransposeNV(a, m);
  MAT(float, 8, 16, B) b;
  coopMatTransposeNV(b, m);
  coopmat<float, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseB> d;
  coopMatTransposeNV(d, m);
}
