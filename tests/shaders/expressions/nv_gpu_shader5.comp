// GL_NV_gpu_shader5: types, literals, conversions, the common type of an operation, and functions.
// RUN: coopc --target-env=vulkan1.3 -O -S -o - %s
#version 450
#extension GL_NV_gpu_shader5 : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer Numbers {
  int8_t i8;
  uint16_t u16;
  float16_t f16;
  int64_t i64;
  uint u;
  int i;
  float f;
  double d;
} n;
uint pick(int x) { return 1; }
uint pick(int64_t x) { return 2; }
uint pick(float x) { return 3; }
uint order(float x) { return 4; }
uint order(double x) { return 5; }
void main() {
  i64vec2 wide = i64vec2(1L, n.i);
  n.u = n.i8 + n.u16;                           // uint: both convert to it, and one is unsigned
  n.f = n.i8 + n.f16;                           // float
  n.d = n.i64 + n.f;                            // double: int64_t does not convert to float
  n.i64 = n.i8 + wide.x;                        // int64_t
  n.u += pick(n.i8) * 10 + order(n.i8);         // the narrowest widening is preferred, and float before double: 14
  n.i64 += packInt2x32(ivec2(n.i, 2)) + int64_t(packUint2x32(uvec2(n.u)));
  n.u += packFloat2x16(f16vec2(n.f16, float16_t(1)));
  n.i += unpackInt2x32(n.i64).y + int(unpackUint2x32(uint64_t(n.i64)).x);
  n.f16 += unpackFloat2x16(n.u).y;
  n.d += int64BitsToDouble(doubleBitsToInt64(n.d)) + uint64BitsToDouble(doubleBitsToUint64(n.d));
  if (anyThreadNV(n.i > 0) && allThreadsNV(n.i > 1) && allThreadsEqualNV(n.i > 2)) n.i = 0;
  bvec2 less = lessThan(i8vec2(n.i8), i8vec2(3));
  int32_t same = n.i;
  float32_t real = n.f;
  float64_t big = real;
  if (any(less)) n.d = big + same;
}
