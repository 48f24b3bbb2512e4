// DecodeCoordinates: the only rule that this program breaks.
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
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Block { uint8_t q[2]; };
float16_t three(const in Block b, const in uint c[3], const in uint d[2]) { return float16_t(0.0); }
float16_t vectors(const in Block b, const in uint c[2], const in uvec2 d) { return float16_t(0.0); }
float16_t ints(const in Block b, const in int c[2], const in uint d[2]) { return float16_t(0.0); }

void main() {
  MAT(float16_t, 16, 16, Accumulator) m = MAT(float16_t, 16, 16, Accumulator)(0.0);
  tensorLayoutNV<2> t = createTensorLayoutNV(2);
  t = setTensorLayoutDimensionNV(t, 64, 64);
  t = sliceTensorLayoutNV(t, 0, 16, 0, 16);
  coopMatLoadTensorNV(m, data.x, 0, t, three);
  coopMatLoadTensorNV(m, data.x, 0, t, vectors);
  coopMatLoadTensorNV(m, data.x, 0, t, ints);
}
