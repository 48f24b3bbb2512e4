// CHECK-SPIRV
// Exponents of 16 bits are converted, because the instructions take 32 bits.
#version 460
#extension GL_AMD_gpu_shader_half_float : require
#extension GL_AMD_gpu_shader_int16 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float16_t a; int16_t e; f16vec2 v; i16vec2 w; float f; int i; };
void main() {
  a = frexp(a, e);
  v = frexp(v, w);
  a = ldexp(a, e);
  v = ldexp(v, w);
  f = frexp(f, i);
  f = ldexp(f, i);
}
