// CHECK-SPIRV
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint i; vec4 v; mat4 m; float f; uint out_[4]; } b;
const uint kTable[8] = uint[8](1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u);
struct P { vec2 a; float w[2]; };
const P kPairs[2] = P[2](P(vec2(1.0), float[2](2.0, 3.0)), P(vec2(4.0), float[2](5.0, 6.0)));
mat4 matrix() { return b.m; }
vec4 vector() { return b.v; }
void main() {
  b.out_[0] = kTable[b.i] + kTable[b.i + 1u] + kTable[3];
  b.f = kPairs[b.i].w[1] + kPairs[1].a.y + kPairs[b.i].a[b.i];
  b.v[b.i] = b.v.zyx[b.i];
  b.v.wy[1] = 3.0;
  b.f += matrix()[b.i].y + vector()[b.i] + matrix()[1][2] + vec3(1.0, 2.0, 3.0)[b.i];
  b.m[b.i][2] = b.m[1][b.i];
  b.v.yx = b.v.xz;
  b.v.wzyx = b.m[0];
  b.v.xy += b.v.zw;
  b.f = vec4(b.v.xyz, 1.0).w + vec2(b.f).x + b.f.xxx.y;
  int k[2][3] = {{1, 2, 3}, {4, 5, 6}};
  b.out_[k[1][b.i]] = uint(k[b.i][2]);
  b.m = mat4(mat2(b.v));
  b.m = mat4(2.0);
  mat3 m3 = mat3(b.m);
  b.v = vec4(m3[0], 1.0) + vec4(mat2(m3));
}
