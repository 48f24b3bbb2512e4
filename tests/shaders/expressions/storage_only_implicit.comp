// Storage types have no implicit conversions (GL_EXT_shader_16bit_storage and GL_EXT_shader_8bit_storage, 4.1.X).
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float16_t h; float f; f16vec2 v; vec2 w; double d; int16_t i; int n; uint8_t c; uint u; };
float identity(float x) { return x; }
void main() {
  f = h;
  float a = h;
  w = v;
  d = h;
  n = i;
  u = c;
  f = max(h, 0.0);
  f = identity(h);
  f = f > 1.0 ? h : 2.0;
  f += h;
  h = f;
  h = 1.0;
  float l[2] = float[2](h, 1.0);
  f = float(h);
  h = float16_t(f);
  w = vec2(v);
  n = int(i);
}
