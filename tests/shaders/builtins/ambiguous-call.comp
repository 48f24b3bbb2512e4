#version 450
// Calls with several best overloads (6.1): among user functions, and one among built-ins.
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { double x[]; };
float f(uint a, float b) { return b; }
float f(float a, float b) { return a; }
float f(vec2 a) { return a.x; }
void g(out int a) { a = 1; }
void g(out uint a) { a = 1u; }
void main() {
  int i = 1;
  float v;
  f(i, 1.0);
  g(v);
  x[0] = sqrt(i);
  x[1] = sqrt(float(i));
}
