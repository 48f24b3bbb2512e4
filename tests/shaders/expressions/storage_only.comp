#version 450
// 8-bit and 16-bit types without arithmetic: loaded, stored and converted, nothing else.
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 1) in;
struct Half { float16_t h; };
layout(set = 0, binding = 0) buffer Data {
  float16_t h;
  f16vec4 v;
  int8_t b;
  uint16_t s;
  float f;
  double d;
  vec4 fv;
  Half st;
} data;
void main() {
  data.f = float(data.h);
  data.fv = vec4(data.v);
  data.v = f16vec4(data.fv);
  data.f = float(data.v.x);
  data.h = float16_t(data.f);
  data.f = data.h;
  data.h = data.h + data.h;
  data.h = -data.h;
  data.h += float16_t(1.0);
  data.fv.xy = vec2(data.v.xy);
  data.f = float(data.v[1]);
  data.d = double(data.h);
  data.b = int8_t(data.s);
  bool same = data.h == data.h;
  data.fv = vec4(data.h);
  data.fv.x = data.fv[data.s];
  data.st = Half(data.h);
  data.b++;
  bool t = bool(data.b);
}
