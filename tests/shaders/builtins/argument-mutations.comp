#version 450
// Arguments that no built-in function takes: arrays, structures, samplers, unsized arrays, far too many.
layout(local_size_x = 1) in;
struct S { float x; };
layout(set = 0, binding = 0) buffer Data { float x[]; };
layout(set = 0, binding = 1) uniform sampler2D t[2];
layout(set = 0, binding = 2) uniform sampler s;
void main() {
  float a[3] = float[3](1.0, 2.0, 3.0);
  float b = sin(a);
  b = sin(S(1.0));
  b = sin(x);
  b = sin(t[0]);
  b = texture(t, vec2(0.5)).x;
  b = texture(s, vec2(0.5)).x;
  b = max(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0);
  b = texture();
  b = imageLoad(t[0], ivec2(0)).x;
  atomicAdd();
  barrier(1);
}
