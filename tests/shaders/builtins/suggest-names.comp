// A missing letter or digit is more likely than an extra one; names of other languages that GLSL reserves.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float16_t h; int16_t i; vec3 v; };
void main() {
  v = cros(v, v);
  i = float16BitsToInt(h);
  h = intBitsToFloat16(i);
  half g = h;
  traceRay();
}
