// CHECK-SPIRV
#version 460
// Each operator on each shape that it is defined for (5.9).
layout(local_size_x = 1) in;
struct S { ivec2 v; float f[2]; };
layout(set = 0, binding = 0, std430) buffer Data {
  int i; uint u; float f; double d;
  ivec3 i3; uvec3 u3; vec3 f3; vec2 f2;
  mat2 m2; mat3x2 m32; mat2x3 m23; mat3 m3;
  S s[2];
} b;
void main() {
  int i = b.i;
  uint u = b.u;
  float f = b.f;
  // Implicit conversions: int to uint, float and double.
  b.u = i + u;
  b.f = i * f - u;
  b.d = b.d / f + i;
  b.f3 = b.i3 * b.f3 + i;
  b.f3 = f - b.u3;
  b.i3 %= b.i3;
  b.i3 = b.i3 % i;
  b.i3 = 7 - b.i3;
  // Shifts: signedness may differ, the result has the left operand's type.
  b.i = i << u;
  b.u = u >> i;
  b.i3 = b.i3 << u;
  b.u3 = b.u3 >> b.i3;
  b.u3 &= b.u3 | u ^ 3u;
  b.i = ~i & -i;
  b.u = i | u;
  // Linear algebra.
  b.f3 = b.m23 * b.f2;
  b.f2 = b.f3 * b.m23;
  b.m3 = b.m23 * b.m32;
  b.m2 = b.m32 * b.m23;
  b.m2 *= b.m2;
  b.m2 = b.m2 * 2 + 1 - b.m2 / b.m2;
  b.f2 *= b.m2;
  b.m2 = -b.m2;
  b.m2++;
  --b.f3;
  // Logic and comparisons.
  bool t = i < f && u >= 2 || i != u ^^ b.f3 == vec3(i);
  t = !t;
  t = t && b.s[0] == b.s[1] && b.m2 != b.m2 && b.s[0].f != b.s[1].f;
  i = t ? i++ : --i;
  b.s[0] = t ? b.s[0] : b.s[1];
  b.d = t ? 1 : b.d;
  b.i = (i += 2, i * 2);
}
