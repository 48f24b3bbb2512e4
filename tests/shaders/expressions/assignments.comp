#version 450
// What cannot be written or read (5.8, 4.10).
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform U { vec4 color; } u;
layout(set = 0, binding = 1) readonly buffer R { float r[]; };
layout(set = 0, binding = 2) buffer W { writeonly float w[4]; readonly vec4 member; } w;
layout(push_constant) uniform P { int p; } push;
layout(set = 0, binding = 21) uniform sampler2D tex;
const float k = 1.0;
float value() { return 1.0; }
void f(const in float c, in float x, out float y) {
  c = 1.0;
  x = 2.0;
  y = 3.0;
  const float local = x;
  local = 1.0;
}
void g(sampler2D s) { s = tex; }
void main() {
  vec4 v = vec4(0.0);
  float a = 0.0;
  int i = 0;
  mat2 m = mat2(1.0);
  u.color = v;
  r[0] = 1.0;
  w.member.x = 1.0;
  a = w.w[0];
  w.w[1] += 1.0;
  w.w[2] = a;
  push.p++;
  gl_GlobalInvocationID.x = 1u;
  k = 2.0;
  3.0 = a;
  value() = a;
  (a + a) = a;
  (a = 1.0) = 2.0;
  (i > 0 ? a : a) = 1.0;
  vec2(v).x = 1.0;
  float(a) = 1.0;
  v.xx = vec2(1.0);
  v.xyx.z = 1.0;
  ++v.zz;
  i++ ++;
  -a = 1.0;
  tex = tex;
  i += 1.5;
  i += 1u;
  a += v;
  v *= m;
  v.xy *= m;
  f(1.0, 2.0, k);
  f(1.0, 2.0, 3.0);
  value = 1.0;
}
