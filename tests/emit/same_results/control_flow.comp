#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { int r[2048]; } o;
int n = 0;
int next(int by) { n += by; return n; }
int classify(int x) {
  int r = 0;
  switch (x & 7) {
    case 0:
    case 1: return 10 + x;
    case 2: r += 5;
    default: r += 100; break;
    case 4: { if (x > 20) break; r += 7; }
    case 5: r += 3;
    case 6:
      for (int k = 0; k < 5; ++k) { if (k == 2) continue; if (k == x % 5) break; r += k; }
      break;
  }
  return r;
}
int early(int x) {
  for (int k = 0; k < 10; ++k) {
    for (int j = k; j < 10; j += 2) {
      if (j * k > x) return j + 100 * k;
      if (j > 7) break;
    }
  }
  return -1;
}
void main() {
  uint g = gl_GlobalInvocationID.x;
  uint base = g * 16u;
  int a = i[g];
  o.r[base] = classify(a);
  o.r[base + 1] = early(abs(a));
  int s = 0, k = 0;
  while (k < 20) { k++; if ((k & 3) == 1) continue; s += k; if (s > 60) break; }
  o.r[base + 2] = s;
  do { s -= 7; if (s == 3) continue; k += 2; } while (s > 0 && k < 1000);
  o.r[base + 3] = s * 1000 + k;
  bool c = a > 0 && next(1) > 0 || next(10) > 100;
  o.r[base + 4] = n + int(c) * 1000;
  int t = a > 10 ? next(3) : a > 0 ? next(5) : next(7);
  o.r[base + 5] = t * 100 + n;
  o.r[base + 6] = (next(1), next(2)) + n;
  for (int p = 0, q = 10; p < q; p++, q--) o.r[base + 7] += p * q;
  int z = 0;
  for (;;) { if (++z > a) break; if (z > 5) { z += 10; break; } }
  o.r[base + 8] = z;
  if (a > 0) { if (a > 20) o.r[base + 9] = 1; else o.r[base + 9] = 2; } else if (a < -20) o.r[base + 9] = 3; else o.r[base + 9] = 4;
  while (bool go = z < 40) { z += 3; if (!go) break; }
  o.r[base + 10] = z;
  switch (a) { default: o.r[base + 11] = 5; }
  if (a == 7) return;
  o.r[base + 12] = 9;
}
