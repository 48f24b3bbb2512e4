#version 450
// If something other than a semicolon may be missing, the rest is not parsed as a statement: each line has
// one error.
layout(local_size_x = 1) in;
layout(binding 0) buffer B { float r; };
float f(float x) { return x; }
struct S { float a b; };
shared float tile[4 2];
const vec4 spread = vec4(1.0) vec4(2.0);
void main() {
  mat4 m = mat4(1.0);
  vec4 v = vec4(0.0), w = v;
  float x = 1.0, y = 2.0;
  v = v m + w;
  v = v
    m + w;
  v = v mat4(1.0) + w;
  v = v * m w + m;
  x = x f(y) + v;
  x = 2 x;
  x = 1.0 h;
  x = x METERS;
  x = x and y;
  float q p;
  p = 1.0;
  int i = 1 r = 2;
  float a = 1.0
      , c = 3.0
      d = 4.0;
  d = c;
  for (int i = 0 int j = 1; i < 3; ++i) x = 1.0;
  for (i = 0 x = 1.0; i < 3; ++i) x = 1.0;
  for (int k = 0; k < 3 float z = 1.0) x = 1.0;
  v = x v;
  vec4 u = x vec4(1.0) * v;
  x = vec2 { 1.0, 2.0 };
  do { x = 1.0; } x = 2.0;
}
