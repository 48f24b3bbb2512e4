// Layouts, views and functions in each other's place.
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
float16_t decode(const in Block b, const in uint32_t block[2], const in uint32_t inBlock[2]) { return b.v; }
void main() {
  tensorLayoutNV<2> plain = createTensorLayoutNV(2);
  tensorViewNV<2, true> view = createTensorViewNV(2, true);
  tensorLayoutNV<2> set = setTensorLayoutDimensionNV(plain, 64, 64);
  set = setTensorLayoutDimensionNV(set, 64, 64, 64);
  set = setTensorLayoutDimensionNV(set, 64.0, 64);
  setTensorLayoutDimensionNV(view, 64, 64);
  MAT(float16_t, 16, 16, A) a = MAT(float16_t, 16, 16, A)(1.0);
  coopMatLoadTensorNV(a, data.x, 0, view);
  coopMatLoadTensorNV(a, data.x, 0, set, set);
  coopMatStoreTensorNV(a, data.x, 0, set, decode);
}
