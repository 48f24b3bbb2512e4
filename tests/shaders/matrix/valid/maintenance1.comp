// GL_EXT_cooperative_matrix_maintenance1 beside GL_NV_cooperative_matrix2: only features of the former need its capability. A
// transposing conversion is the conversion with a decoration, on the instruction that changes the use.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
// VALIDATE: newest the linked release does not know the extension
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float x[]; } data;
#define MAT(T, R, C, U) coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUse##U>

void main() {
  MAT(float, 16, 8, Accumulator) m;
  coopMatLoad(m, data.x, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
  MAT(float, 8, 16, A) a;
  coopMatTransposeEXT(a, m);
  MAT(float16_t, 8, 16, B) half_;
  coopMatTransposeEXT(half_, m);
  MAT(int, 8, 16, B) whole;
  coopMatTransposeEXT(whole, m);
  MAT(int, 16, 8, Accumulator) i = MAT(int, 16, 8, Accumulator)(m);
  MAT(uint8_t, 8, 16, A) bytes;
  coopMatTransposeEXT(bytes, i);
  MAT(uint, 8, 16, A) words;
  coopMatTransposeEXT(words, i);
  MAT(float, 8, 16, Accumulator) back = MAT(float, 8, 16, Accumulator)(a);
  back += MAT(float, 8, 16, Accumulator)(half_);
  coopMatStore(back, data.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(whole, data.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(bytes, data.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(words, data.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
