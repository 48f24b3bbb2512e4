#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { ivec4 r[512]; uvec4 q[256]; vec4 v[128]; } o;
void main() {
  uint g = gl_GlobalInvocationID.x;
  int a = i[g]; uint b = u[g]; float x = f[g]; double y = d[g];
  int8_t i8 = int8_t(a); uint8_t u8 = uint8_t(b); int16_t i16 = int16_t(b); uint16_t u16 = uint16_t(a);
  int64_t i64 = int64_t(a) * 100000000000L; uint64_t u64 = uint64_t(b) << 33;
  float16_t h = float16_t(x);
  o.r[g] = ivec4(i8, u8, i16, u16);
  o.r[g + 128] = ivec4(int(i64 >> 5), int(u64 >> 30), int(h), int(y));
  o.r[g + 256] = ivec4(int8_t(x) + int8_t(i16), uint8_t(i16), int16_t(u8), uint16_t(i8));
  o.q[g] = uvec4(uint(i8), uint(u8) + uint(i16), uint(u16), uint(int64_t(i8) >> 3));
  o.q[g + 128] = uvec4(uint(x > 0.0), uint(bool(a)), uint(bool(h)) + uint(uint64_t(i8) >> 40), uint(bool(y)));
  o.v[g] = vec4(float(i8) + float(u8), float(i16) - float(u16), float(h) * 2.0, float(y) + float(i64) + float(bool(b)));
  o.r[g + 384] = ivec4(f16vec4(vec4(x, a, b, 1.0))) + ivec4(i8vec4(a)) + ivec4(u16vec2(b).xyxy);
}
