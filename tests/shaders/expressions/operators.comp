#version 450
// Operators on operands that they are not defined for (5.9).
layout(local_size_x = 1) in;
struct S { int a; };
layout(set = 0, binding = 21) uniform sampler2D tex[2];
void main() {
  int i = 1;
  uint u = 1u;
  float f = 1.0;
  bool b = true;
  vec2 v2 = vec2(1.0);
  vec3 v3 = vec3(1.0);
  bvec2 b2 = bvec2(true);
  ivec2 i2 = ivec2(1);
  mat2 m2 = mat2(1.0);
  mat3x2 m32 = mat3x2(1.0);
  S s = S(1);
  float arr[2] = float[2](1.0, 2.0);
  f = v2 + v3;
  f = b + 1;
  f = -b;
  b = ~b;
  f = 5.0 % 2.0;
  i = i & b;
  i = i | 1.0;
  i = b ^ b;
  b = b && 1;
  b = b2 || b2;
  b = !i;
  b = !b2;
  b = v2 < v2;
  b = m2 <= m2;
  b = v2 == v3;
  b = i == b;
  v2 = m32 * v2;
  m2 = m2 * m32 * m2;
  m2 = m2 + m32;
  i = i << v2;
  i = i << i2;
  s = s + s;
  f = arr + 1.0;
  b = s == arr;
  b = tex[0] == tex[1];
  f = (tex[0], 1.0);
  f = b ? 1.0 : true;
  f = (b ? tex[0] : tex[1], 1.0);
  f = b ? v2 : v3;
  i = f ? 1 : 2;
}
