// CHECK-SPIRV
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B {
  int i;
  uint u;
  float f;
  double d;
  ivec3 iv;
  uvec2 uv;
  vec4 v;
  mat3 m;
  mat2x4 m24;
  bool flag;
} b;

void main() {
  b.i = b.i * 3 + 7 / b.i - b.i % 5;
  b.u = (b.u << 3) | (b.u >> 2) ^ ~b.u & 15u;
  b.i >>= 2;
  b.f = -b.f * 2.0 + b.f / 3.0;
  b.d += double(b.f);
  b.iv = b.iv * 2 + b.iv;
  b.uv %= uvec2(3u, 5u);
  b.v = 2.0 * b.v + vec4(1.0) - b.v.x;
  b.v.xyz = b.m * b.v.xyz;
  b.v = b.v.xy * transpose(b.m24) * 0.5;
  b.m = b.m * b.m + b.m - 1.0;
  b.m24 *= 3.0;
  b.m24 = -b.m24 / b.f;
  b.flag = b.i < 3 && b.u >= 4u || !(b.f == 1.0) ^^ b.v != vec4(0.0);
  b.i++;
  --b.u;
  b.v++;
  b.i = b.i++ + ++b.i;
  b.f = float(b.i) + float(b.u) + float(b.flag) + float(b.d);
  b.i = int(b.f) + int(b.flag) + int(b.u);
  b.u = uint(b.i) + uint(b.f);
  b.flag = bool(b.f) || bool(b.i);
}
