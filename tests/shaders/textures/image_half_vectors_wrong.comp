// Each vector type has its own format; other functions and images take no vectors.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_NV_shader_atomic_fp16_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 1) in;
layout(binding = 0, rg16f) uniform image2D pairs;
layout(binding = 1, rgba16f) uniform image2D quads;
layout(binding = 2, r32i) uniform iimage2D ints;
void main() {
  f16vec4 b = imageAtomicAdd(pairs, ivec2(1), f16vec4(1.0));
  f16vec2 a = imageAtomicMin(quads, ivec2(1), f16vec2(1.0));
  float x = imageAtomicExchange(quads, ivec2(1), 1.0);
  a = imageAtomicAnd(pairs, ivec2(1), f16vec2(1.0));
  a = imageAtomicAdd(ints, ivec2(1), f16vec2(1.0));
}
