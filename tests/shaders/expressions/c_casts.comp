// Casts as C writes them: the message gives the form of GLSL.
// RUN: coopc %s
#version 450
layout(local_size_x = 1) in;
struct S { int a; };
layout(binding = 0) buffer B { int x; double d; vec3 v; };
void main() {
  float f = (float)d + (float)(x + 1);
  x = (int)f;
  v = (vec3)f;
  S s = (S)0;
  x += s.a;
}
