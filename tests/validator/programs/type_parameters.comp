// Type parameters that are integers of 64 bits.
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
  coopmat<float16_t, gl_ScopeSubgroup, 16ul, 16, gl_MatrixUseA> m = coopmat<float16_t, gl_ScopeSubgroup, 16ul, 16, gl_MatrixUseA>(1.0);
  tensorLayoutNV<2ul> dim = createTensorLayoutNV(2ul);
  tensorLayoutNV<2, 1ul> mode = createTensorLayoutNV(2, 1ul);
  tensorViewNV<2, false, 0ul, 1> view = createTensorViewNV(2, false, 0ul, 1);
}
