// Storage types widen if explicit arithmetic types are enabled for another type (decision 61).
// RUN: coopc --target-env=vulkan1.2 %s
#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int32 : require
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer A { float16_t a[]; };
layout(binding = 1) readonly buffer C { int8_t c[]; };
layout(binding = 2) readonly buffer D { uint16_t d[]; };
layout(binding = 3) readonly buffer E { f16vec2 e[]; };
layout(binding = 4) buffer B { float b[]; };
float twice(float x) { return 2.0 * x; }
int next(int x) { return x + 1; }
void main() {
  float v = a[0];
  vec2 w = e[0];
  int i = c[0];
  uint u = d[0];
  b[0] = v + twice(a[1]) + w.y + float(next(c[1]) + i) + float(u);
}
