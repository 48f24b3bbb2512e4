// CHECK-SPIRV
#version 450
// Overloads are chosen by the ranking of 6.1: exact, float to double, int to float before int to double.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { int chosen[]; };
int f(float a) { return 1; }
int f(double a) { return 2; }
int g(double a) { return 3; }
int g(vec2 a) { return 4; }
int p(in vec4 a, out vec4 b) { b = a; return 7; }
int p(in vec4 a, out uvec4 b) { b = uvec4(a); return 8; }
int p(in ivec4 a, out dvec4 b) { b = dvec4(a); return 9; }
void main() {
  ivec4 iv;
  vec4 v;
  uvec4 uv;
  chosen[0] = f(1);              // float
  chosen[1] = f(1.0);            // float, exactly
  chosen[2] = f(1.0lf);          // double, exactly
  chosen[3] = g(1.0);            // double
}
