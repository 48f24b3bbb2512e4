// Operators that matrices do not have at all, or not with these operands.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
#define MAT(T, R, C, U) coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUse##U>

void main() {
  MAT(int, 16, 16, Accumulator) a = MAT(int, 16, 16, Accumulator)(1);
  MAT(int, 16, 16, Accumulator) r = a % a;
  r = ~a;
  MAT(int, 16, 32, Accumulator) other = MAT(int, 16, 32, Accumulator)(1);
  r = a + other;
  MAT(float16_t, 16, 16, A) flags = MAT(float16_t, 16, 16, A)(true);
}
