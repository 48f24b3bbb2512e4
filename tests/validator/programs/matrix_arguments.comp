// Scalars in place of matrices, and other types in place of integers.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
#define MAT(T, R, C, U) coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUse##U>

float16_t add(const in float16_t a, const in float16_t b) { return a + b; }
float16_t same(const in uint row, const in uint column, const in float16_t v) { return v; }
void main() {
  MAT(float16_t, 16, 16, A) a = MAT(float16_t, 16, 16, A)(1.0);
  MAT(float, 16, 16, Accumulator) c = MAT(float, 16, 16, Accumulator)(1.0);
  c = coopMatMulAdd(a, float16_t(2.0), c);
  float16_t scalar = float16_t(0.0);
  coopMatLoad(scalar, data.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(scalar, data.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(a, data.x, 0, 16.0, gl_CooperativeMatrixLayoutRowMajor);
  float16_t result = float16_t(0.0);
  coopMatReduceNV(result, scalar, gl_CooperativeMatrixReduceRowNV, add);
  coopMatPerElementNV(result, scalar, same);
  coopMatTransposeNV(result, scalar);
}
