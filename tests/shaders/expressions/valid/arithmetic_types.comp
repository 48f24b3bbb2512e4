// CHECK-SPIRV
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
// Promotions and conversions of the explicit types (GL_EXT_shader_explicit_arithmetic_types, 4.1.10).
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Data {
  int8_t i8; uint8_t u8; int16_t i16; uint16_t u16; int i; uint u; int64_t i64; uint64_t u64;
  float16_t h; float f; double d; f16vec2 h2; i16vec4 v16; i8vec4 v8;
} b;
void main() {
  b.i16 = b.i8 + b.u8 + b.i16;
  b.u16 = b.u8 + b.u16;
  b.i = b.i8 * b.i16 + b.i + b.u16;
  b.u = b.i16 + b.u;
  b.i64 = b.i + b.u + b.i64;
  b.u64 = b.i64 + b.u64 + b.i8;
  b.h = b.h * b.i16 + b.u8;
  b.f = b.h + b.f + b.i;
  b.d = b.h + b.d * b.i64;
  b.h2 = b.h2 * float16_t(2) + 0.5hf;
  b.v16 = b.v16 + b.v8;
  b.v16 <<= b.v8;
  b.i16 = int16_t(b.f);
  b.h = float16_t(b.d);
  b.i8 = int8_t(1000) - 1s == 0 ? b.i8 : int8_t(-1);
  b.i64 = 5l + 0x7FFFFFFF;
  b.u64 = 1ul << 40;
}
