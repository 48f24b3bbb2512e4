#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { int r[2048]; } o;
int log_ = 0;
int mark(int x) { log_ = log_ * 3 + x; return x; }
struct S { int a[4]; ivec3 v; };
S s;
int set(out int x, int v) { x = v; return v; }
int twice(inout int x) { x *= 2; return x; }
void swap(inout int x, inout int y) { int t = x; x = y; y = t; }
void main() {
  uint g = gl_GlobalInvocationID.x, base = g * 12u;
  int k = i[g] & 3;
  o.r[base] = mark(1) + mark(2) * mark(1) - (mark(2), mark(1));
  o.r[base + 1] = log_;
  s.a[mark(1)] += mark(2);
  s.a[twice(k) & 3] = k;
  o.r[base + 2] = s.a[0] + s.a[1] * 10 + s.a[2] * 100 + s.a[3] * 1000 + k;
  int x = 3, y = 4;
  o.r[base + 3] = set(x, 5) + x * 10 + set(y, x) * 100 + y;
  swap(x, s.a[x & 3]);
  swap(s.v.x, s.v.z);
  swap(s.a[0], s.a[1]);
  o.r[base + 4] = x + s.a[0] * 10 + s.a[1] * 100;
  s.v = ivec3(1, 2, 3);
  s.v[twice(y) % 3] -= 7;
  s.v.zx = s.v.xz;
  o.r[base + 5] = s.v.x + s.v.y * 10 + s.v.z * 100;
  int z = 1;
  z += z++ + ++z;
  o.r[base + 6] = z;
  for (int a = 0, b = mark(2); mark(1) > 0 && a < b || twice(a) < 0; a++) z += a;
  o.r[base + 7] = z + log_;
  bool skip = false && mark(2) > 0 || true || mark(1) > 0;
  o.r[base + 8] = log_ + int(skip);
  o.r[base + 9] = g > 5u ? mark(1) : mark(2) + (i[g] > 0 ? twice(z) : z--);
  o.r[base + 10] = log_ * 100 + z;
  o.r[base + 11] += s.a[1] = s.a[2] = 9;
}
