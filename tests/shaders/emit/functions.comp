// CHECK-SPIRV
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B {
  vec4 v;
  float a[4];
  uint count;
} b;

struct S { vec2 p; float w[3]; };

void unused() { b.count = 99u; }
float add(float x, const float y) { x += y; return x; }
void outs(out float a, inout vec2 c, in int i) { a = c.x + float(i); c.y = a; }
S make(float w) { S s; s.p = vec2(w); s.w = float[3](w, w + 1.0, w + 2.0); return s; }
float sum(const S s) { return s.p.x + s.w[0] + s.w[2]; }
float pick(const float w[3], int i) { return w[i]; }
vec2 swap(vec2 v);

void main() {
  b.v.x = add(b.v.y, 2.0);
  outs(b.a[b.count++], b.v.zw, 3);
  S s = make(b.v.x);
  b.v.y = sum(s) + make(2.0).w[b.count] + pick(s.w, int(b.count));
  int i = 3;
  i += int(make(float(i++)).p.y);
  b.v.xy = swap(b.v.yx);
  s.w[i] = 4.0;
  b.v.z = s.w[1];
}

vec2 swap(vec2 v) { return v.yx; }
