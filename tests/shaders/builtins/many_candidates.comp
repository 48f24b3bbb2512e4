// At most eight overloads are shown.
#version 460
layout(local_size_x = 1) in;
void f(vec2 a) {}
void f(vec3 a) {}
void f(vec4 a) {}
void f(mat2 a) {}
void f(mat3 a) {}
void f(mat4 a) {}
void f(mat2x3 a) {}
void f(mat2x4 a) {}
void f(mat3x2 a) {}
void f(mat3x4 a) {}
void g(float a) {}
void g(vec2 a) {}
void main() {
  f(1);
  g(true);
}
