#version 310 es
// ESSL: scalars have no components, vectors and matrices no length, nothing converts implicitly.
precision highp float;
layout(local_size_x = 1) in;
void main() {
  float f = 1.0;
  vec2 v = vec2(1.0);
  int i = 1;
  uint u = 2u;
  f = f.x;
  i = v.length();
  f = i;
  f = f + i;
  u = u + i;
  bool b = f == i;
  f = b ? 1.0 : 2;
  i = i << u;
}
