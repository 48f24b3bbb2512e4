// GL_AMD_gpu_shader_half_float: derivatives (in 32 bits), interpolation. GL_AMD_gpu_shader_int16: 16-bit exponents.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_AMD_gpu_shader_half_float : require
#extension GL_AMD_gpu_shader_int16 : require
layout(location = 0) in f16vec2 a;
layout(location = 0) out f16vec2 result;
void main() {
  i16vec2 exponent;
  result = dFdx(a) + fwidthCoarse(a);
  result += interpolateAtCentroid(a) + interpolateAtSample(a, 1) + interpolateAtOffset(a, f16vec2(0.25hf));
  result += ldexp(frexp(a, exponent), exponent);
}
