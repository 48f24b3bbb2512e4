#version 450
// Floating-point encodings without arithmetic.
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { bfloat16_t b; bf16vec2 v; floate4m3_t e; float f; } data;
void main() {
  data.f = data.b;
  data.b = data.b + data.b;
  data.b = -data.b;
  data.b = bfloat16_t(data.f);
  bool less = data.b < data.b;
  bool same = data.e == data.e;
  bool truth = bool(data.b);
  data.e = floate4m3_t(true);
  data.b *= data.b;
  data.b = data.f;
}
