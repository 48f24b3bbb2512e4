// CHECK-SPIRV
// Operations that a precise variable, member or result depends on are not contracted, also through other variables, calls and atomics.
#version 460
#extension GL_EXT_shader_atomic_float : require
struct S { precise float exact; float loose; };
layout(binding = 0) buffer B { float a, b, c; float o[]; };
float start = 2.0 * 3.0;
float scaled(float x) { float r = x * 2.0 + a; return r; }
void main() {
  S s;
  s.exact = a * b + c;
  s.loose = a * c + b;
  precise float p = scaled(a) - b * c;
  float through = a * a - b;
  precise vec2 v;
  v.y = through;
  v.x = -(a + b);
  precise float whole;
  float part = modf(a * 3.0 + b, whole);
  precise float initial = start + 1.0;
  atomicExchange(o[5], a * b - 1.0);
  o[0] = s.exact + s.loose;
  o[1] = p;
  o[2] = v.x - v.y;
  o[3] = whole + part * 2.0 + initial;
}
