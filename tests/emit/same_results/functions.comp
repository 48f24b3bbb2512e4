#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { vec4 v[512]; ivec4 r[256]; } o;
struct S { vec2 p; float w[3]; int k; };
S make(float w, int k) { S s; s.p = vec2(w, -w); s.w = float[3](w, w + 1.0, w + 2.0); s.k = k; return s; }
float sum(S s) { s.k++; return s.p.x + s.p.y * 2.0 + s.w[0] + s.w[1] * 4.0 + s.w[s.k % 3]; }
void outs(out float a, inout vec2 c, in int j, out int q) { a = c.x + float(j); c.y = a; q = j * 2; j = 100; c.x = a + float(j); }
void alias(inout int a, inout int b) { a += 1; b += 10; a += 100; }
float pick(const float w[3], int j) { return w[j]; }
void grow(inout S s) { s.w[1] *= 2.0; s.p = s.p.yx; s.k -= 1; }
int depth3(int x) { return x + 1; }
int depth2(int x) { return depth3(x) * 2; }
int depth1(int x) { x = depth2(x); return depth2(x) + x; }
float over(float x) { return x; }
float over(vec2 x) { return x.y; }
float over(int x) { return float(x) * 0.5; }
void convert(out double dd, out float ff, in float x) { dd = double(x) * 3.0; ff = x; }
float global = 1.0;
float effect(float x) { global += x; return global; }
void main() {
  uint g = gl_GlobalInvocationID.x;
  vec4 t = vec4(f[g], f[g + 1], f[g + 2], f[g + 3]);
  int q = 0, arr[4] = int[4](1, 2, 3, 4);
  outs(t.w, t.xy, arr[i[g] & 3], arr[q++]);
  o.v[g] = t;
  o.r[g] = ivec4(arr[0], arr[1], q, arr[2]);
  int al = i[g];
  alias(al, al);
  S s = make(t.x, i[g] & 31);
  float before = sum(s);
  grow(s);
  o.v[g + 128] = vec4(before, sum(s), make(2.0, 3).w[1], pick(s.w, i[g] & 1));
  int deep = depth1(i[g]);
  o.r[g + 128] = ivec4(al, deep, s.k, int(over(1.5) + over(vec2(2.0, 4.0)) + over(3)));
  double dd; float ff;
  convert(dd, ff, t.y);
  o.v[g + 256] = vec4(float(dd), ff, effect(1.0) + effect(2.0) * 10.0, global);
  s.w[effect(0.0) > 3.0 ? 1 : 2] += 5.0;
  o.v[g + 384] = vec4(s.w[0], s.w[1], s.w[2], s.p.x);
}
