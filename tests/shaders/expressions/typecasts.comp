#version 450
#extension GL_NV_explicit_typecast : require
layout(local_size_x = 1) in;
struct S { float a; };
layout(set = 0, binding = 0) buffer Data { float f; vec2 v; mat3 m; } data;
void main() {
  float a[2] = (float[2])data.f;
  S s = (S)data.f;
  vec3 v = (vec3)data.v;
  float f = (float)main();
  float g = (float)data;
  f = (float);
  f = (undeclared)data.f;
  (int)f = 1;
}
