// RUN: coopc --target-env=vulkan1.3 -Wall %s
#version 450
// User functions with names of built-in ones (decision 30): exact matches come first, the user's before the built-in
// ones, then the user's with conversions, then the built-in ones with conversions.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { int i; float f; vec3 v; };
layout(set = 0, binding = 1) uniform sampler2D s;
float max(float a, float b) { return a; }
float max(float a, float b, float c) { return max(a, max(b, c)); }
float pow(vec3 a, float b) { return a.x; }
float dot(vec3 a, vec3 b) { return a.x; }
vec4 texture(sampler2D t, vec2 p, int layer) { return texture(t, p + float(layer)); }
int atomicAdd(int a) { return atomicAdd(i, a); }
void main() {
  f = max(i, i);      // the built-in one, with a warning
  f = max(f, f);      // the user's
  f = max(f, 1);      // the user's, converting
  f = max(1.0, 2.0, 3.0);
  v = max(v, v);      // the built-in one
  v = max(v, 1);      // the built-in one, converting
  f = pow(v, i);
  f = pow(f, 2);      // the built-in one, converting
  f = dot(v, v);
  f = texture(s, v.xy, 1).x + texture(s, v.xy).x;
  i = atomicAdd(2);
}
