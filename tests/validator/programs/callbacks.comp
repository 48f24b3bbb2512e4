// Callbacks with wrong numbers and types of parameters, and wrong results.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
#define MAT(T, R, C, U) coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUse##U>

layout(buffer_reference, std430, buffer_reference_align = 2) buffer Block { float16_t v; };
float decode(const in Block b, const in uint32_t block[2], const in uint32_t inBlock[2]) { return float(b.v); }
float16_t missing(const in uint row, const in uint column, const in float16_t v) { return v; }
float16_t coordinate(const in float row, const in uint column, const in float16_t v) { return v; }
float result(const in uint row, const in uint column, const in float16_t v) { return float(v); }
void main() {
  MAT(float16_t, 16, 16, Accumulator) a = MAT(float16_t, 16, 16, Accumulator)(1.0);
  MAT(float16_t, 16, 16, Accumulator) r;
  coopMatPerElementNV(r, a, missing, float16_t(1.0));
  coopMatPerElementNV(r, a, coordinate);
  coopMatPerElementNV(r, a, result);
  tensorLayoutNV<2> set = createTensorLayoutNV(2);
  set = setTensorLayoutDimensionNV(set, 16, 16);
  coopMatLoadTensorNV(a, data.x, 0, set, decode);
}
