#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { int r[2048]; } o;
struct A { int x; int y[2][3]; };
struct B { A a[2]; ivec2 v; bool ok; };
const B kB = B(A[2](A(1, int[2][3](int[3](1, 2, 3), int[3](4, 5, 6))), A(2, int[2][3](int[3](7, 8, 9), int[3](10, 11, 12)))), ivec2(3, 4), true);
B table[3] = B[3](kB, kB, kB);
void main() {
  uint g = gl_GlobalInvocationID.x, base = g * 16u;
  int k = i[g] & 1;
  B b = kB;
  b.a[k].y[1 - k][2] = i[g];
  b.v.y += 5;
  B c = b;
  c.a[0] = c.a[1];
  table[k + 1] = c;
  int m[2][3] = b.a[k].y;
  o.r[base] = c.a[0].y[k][1] + kB.a[k].y[k][k + 1];
  o.r[base + 1] = m[1 - k][2] + m[k][0] * 100;
  o.r[base + 2] = int(b == c) + int(c == table[k + 1]) * 2 + int(kB.a[0].y == m) * 4;
  o.r[base + 3] = m.length() * 10 + m[0].length();
  B list[] = { kB, { { kB.a[0], kB.a[1] }, ivec2(k, 9), false } };
  o.r[base + 4] = list[k].v.y + int(list[1 - k].ok) * 100 + list.length() * 1000;
  int zeroed[4] = int[4](0, 0, 0, 0);
  zeroed[k + 1]++;
  zeroed[zeroed[1]] += 5;
  for (int j = 0; j < 4; ++j) o.r[base + 5 + j] = zeroed[j];
  o.r[base + 9] = (k == 0 ? b : c).a[k].y[0][0] + (k == 0 ? m : list[0].a[1].y)[1][2];
}
