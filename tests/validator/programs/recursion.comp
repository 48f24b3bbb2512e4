// A combine function calls itself.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
#define MAT(T, R, C, U) coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUse##U>

float16_t add(const in float16_t a, const in float16_t b) { return a > b ? add(b, a) : a + b; }
void main() {
  MAT(float16_t, 16, 16, Accumulator) a = MAT(float16_t, 16, 16, Accumulator)(1.0);
  coopMatReduceNV(a, a, gl_CooperativeMatrixReduceRowNV, add);
}
