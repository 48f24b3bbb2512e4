// DecodeVectorResult: the only rule that this program breaks.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_NV_cooperative_matrix_decode_vector : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_long_vector : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Block { uint8_t q[8]; };
float16_t one(const in Block b, const in uint c[2], const in uint d[2]) { return float16_t(b.q[d[1]]); }
f16vec3 three(const in Block b, const in uint c[2], const in uint d[2]) { return f16vec3(1.0); }
vec4 four(const in Block b, const in uint c[2], const in uint d[2]) { return vec4(1.0); }

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;
  tensorLayoutNV<2> t = createTensorLayoutNV(2);
  coopMatLoadTensorNV(m, data.x, 0, t, one, three);
  coopMatLoadTensorNV(m, data.x, 0, t, one, four);
  coopMatLoadTensorNV(m, data.x, 0, t, one, one);
}
