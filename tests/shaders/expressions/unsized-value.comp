// An array without a size is not a value as a whole.
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float x[]; } b;
shared float s[];
struct S { float a[4]; };
float f(float a[4]) { return a[0]; }
float[4] g() { return b.x; }
void main() {
  float u[] = b.x;
  float v[2] = b.x;
  float w[4] = s;
  S t = S(b.x);
  float y[][4] = {b.x, s};
  f(b.x);
  s[3] = 1.0;
}
