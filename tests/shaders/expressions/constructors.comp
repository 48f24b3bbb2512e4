#version 450
// Constructors (5.4) with wrong arguments.
layout(local_size_x = 1) in;
layout(constant_id = 0) const int N = 2;
struct S { int a; float b; };
struct Holder { S s; vec2 v; };
layout(set = 0, binding = 21) uniform texture2D tex;
layout(set = 0, binding = 22) uniform texture3D tex3;
layout(set = 0, binding = 23) uniform itexture2D itex;
layout(set = 0, binding = 24) uniform sampler smp;
layout(set = 0, binding = 25) uniform sampler2D combined;
layout(set = 0, binding = 8) buffer Block { int a; } block;
void main() {
  vec2 v2 = vec2(1.0);
  vec3 v3 = vec3(1.0);
  mat2 m2 = mat2(1.0);
  S s = S(1, 2.0);
  vec3 a = vec3(v2);
  vec3 b = vec3(v2, 1.0, 2.0);
  vec3 c = vec3();
  vec2 d = vec2(s);
  float e = float(s);
  float f = float(1.0, 2.0);
  float g = float();
  mat2 h = mat2(v2);
  mat2 i = mat2(m2, m2);
  mat2 j = mat2(m2, 1.0);
  mat2 k = mat2(v2, v2, v2);
  S l = S(1);
  S m = S(1, 2.0, 3.0);
  S n = S(1.5, 2.0);
  float o[3] = float[3](1.0, 2.0);
  float p[2] = float[2](1.0, true);
  float q[] = float[]();
  float r[N] = float[N](1.0, 2.0);
  Holder t = Holder(s, v3);
  vec4 u = vec4(combined);
  vec4 v = texture(sampler2D(tex), v2);
  vec4 w = texture(sampler2D(tex3, smp), v2);
  vec4 x = texture(sampler2D(itex, smp), v2);
  vec4 y = texture(sampler2D(tex, combined), v2);
  vec4 z = texture2D(tex);
  sampler(smp);
}
