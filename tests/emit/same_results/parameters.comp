#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { int r[2048]; } o;
struct S { int a[2]; float b; };
void once(out int r[4]) { r = int[4](11, 12, 13, 14); }
void read(out int r[4], int k) { r = int[4](21, 22, 23, 24); o.r[1024 + gl_GlobalInvocationID.x] = r[k]; }
void nested(inout int r[2][2]) { r = int[2][2](int[2](31, 32), int[2](33, 34)); }
void zero(out int r[3]) { r = int[3](0, 0, 0); }
void twice(out int r[2], bool which) { r = int[2](41, 42); if (which) r = int[2](43, 44); }
void some(inout int r[2], bool which) { if (which) r = int[2](51, 52); }
void part(out int r[2]) { r = int[2](61, 62); ++r[1]; }
void structure(out S s) { s = S(int[2](71, 72), 0.5); }
void member(inout S s) { s.a = int[2](73, 74); }
void vectors(out vec2 r[2]) { r = vec2[2](vec2(81, 82), vec2(83, 84)); }
int byValue(int x[3], int k) { x = int[3](91, 92, 93); return x[k]; }
int table(int k) { int x[3]; x = int[3](94, 95, 96); return x[k]; }
void deeper(out int r[4]) { once(r); }
void main() {
  uint g = gl_GlobalInvocationID.x, base = g * 8u;  // below 1024, where read() writes
  int k = i[g] & 1;
  int a[4] = int[4](1, 2, 3, 4), b[4] = a, c[4] = a;
  once(a);
  read(b, k);
  deeper(c);
  o.r[base] = a[k] + b[k + 1] * 100 + c[k + 2] * 10000;
  int n[2][2] = int[2][2](int[2](1, 2), int[2](3, 4));
  nested(n);
  int z[3] = int[3](5, 6, 7);
  zero(z);
  o.r[base + 1] = n[k][1 - k] + z[k] * 100;
  int t[2] = int[2](1, 2), s[2] = t, p[2] = t;
  twice(t, k == 1);
  some(s, k == 1);
  part(p);
  o.r[base + 2] = t[k] + s[1] * 100 + p[1] * 10000;
  S first = S(int[2](1, 2), 3.0), second = first;
  structure(first);
  member(second);
  o.r[base + 3] = first.a[k] + second.a[k] * 100 + int(first.b * 4.0) * 10000;
  vec2 v[2];
  vectors(v);
  o.r[base + 4] = int(v[k].x) + byValue(z, k) * 100 + table(k) * 10000;
}
