// Atomic functions of images take f16vec2 and f16vec4 (GL_NV_shader_atomic_fp16_vector, 8.12).
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_NV_shader_atomic_fp16_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 1) in;
layout(binding = 0, rg16f) uniform image2D pairs;
layout(binding = 1, rgba16f) coherent uniform imageCubeArray quads;
layout(binding = 2, r32f) uniform image3D numbers;
layout(binding = 3) buffer Results { vec4 results; };
void main() {
  const f16vec2 two = f16vec2(2.0);
  const f16vec4 four = f16vec4(4.0);
  f16vec2 a = imageAtomicAdd(pairs, ivec2(1), two);
  a += imageAtomicMin(pairs, ivec2(2), a) + imageAtomicMax(pairs, ivec2(3), two);
  a += imageAtomicExchange(pairs, ivec2(4), a);
  f16vec4 b = imageAtomicAdd(quads, ivec3(1), four);
  b += imageAtomicMin(quads, ivec3(2), b) + imageAtomicMax(quads, ivec3(3), four);
  b += imageAtomicExchange(quads, ivec3(4), b);
  results = vec4(b) + vec4(a, a) + imageAtomicExchange(numbers, ivec3(5), 1.0);
}
