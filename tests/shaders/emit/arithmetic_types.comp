// CHECK-SPIRV
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer A {
  float16_t h; int16_t s; uint16_t us; uint8_t u8; int8_t i8; int64_t l; uint64_t ul; double d; f16vec3 hv; u8vec4 bv; bool f;
} a;
void main() {
  a.h = a.h * 2.0hf + float16_t(a.s);
  a.s = a.s + int16_t(a.i8) - int16_t(a.us) * 3s;
  a.us = uint16_t(a.u8) << 2;
  a.i8 = int8_t(a.u8) / int8_t(3);
  a.l = int64_t(a.i8) + int64_t(a.us) + int64_t(a.h) + int64_t(a.ul);
  a.ul = uint64_t(a.i8) + uint64_t(a.u8) + uint64_t(a.d);
  a.d = double(a.l) + double(a.h) + double(a.f);
  a.hv = f16vec3(a.bv.xyz) * a.h;
  a.bv = u8vec4(a.hv, a.h);
  a.bv.xy += u8vec2(1);
  a.f = bool(a.i8) || bool(a.h) || bool(a.l);
  a.u8 = uint8_t(a.f);
}
