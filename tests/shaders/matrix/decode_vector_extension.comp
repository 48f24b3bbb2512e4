// DecodeVectorExtension: a second function without GL_NV_cooperative_matrix_decode_vector, with and without a view.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
layout(buffer_reference) buffer Block { float16_t x; };
float16_t one(const in Block b, const in uint at[2], const in uint inBlock[2]) { return b.x; }
f16vec2 two(const in Block b, const in uint at[2], const in uint inBlock[2]) { return f16vec2(b.x); }

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m = coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(0.0);
  tensorLayoutNV<2> t = setTensorLayoutDimensionNV(createTensorLayoutNV(2), 16, 16);
  coopMatLoadTensorNV(m, data.x, 0, t, one, two);
  coopMatLoadTensorNV(m, data.x, 0, t, createTensorViewNV(2), one, two);
}
