#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { ivec4 r[256]; uvec4 q[256]; vec4 v[256]; } o;
void main() {
  uint g = gl_GlobalInvocationID.x;
  int a = i[g], b = abs(i[g + 64]) + 1;
  uint c = u[g], e = u[g + 1] + 1u;
  o.r[g] = ivec4(a + b * 3 - a / b, a << (b & 7), a >> 2, ~a ^ (b | a & 12));
  o.q[g] = uvec4(c / e + c % e, c << 3 | c >> 2, c ^ e & ~c, uint(c < e) + uint(a <= b) * 2u + uint(c >= e) * 4u);
  vec4 x = vec4(f[g], f[g + 1], f[g + 2], f[g + 3]);
  vec4 y = vec4(f[g + 4], f[g + 5], f[g + 6], f[g + 7]);
  x += y * 2.0;
  x.yz -= 0.5;
  x *= vec4(2.0, 1.0, 0.5, 4.0);
  x.w /= 0.25;
  o.v[g] = -x + vec4(x == y, x != y, x.x < y.x, !(x.y > y.y)) + (x.x > 0.0 ? y : x.wzyx);
  a += 5; a -= b; a *= 3; a /= 2; a &= 0xFFF; a |= 0x1000; a ^= 7; a <<= 2; a >>= 1;
  c %= 7u;
  o.r[g + 64] = ivec4(a, a++, ++a, a-- - --a);
  o.q[g + 64] = uvec4(c, -c, uint(a), uint(x.x));
  bvec2 t = bvec2(a > 100, c > 3u);
  o.r[g + 128] = ivec4(t.x && t.y, t.x || t.y, t.x ^^ t.y, t == bvec2(true));
}
