#version 450
// A missing parenthesis or bracket is one error, and the errors after it are reported.
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float r[4]; uint u; vec4 v; } b;
layout(binding = 1) buffer C { float x[; } c;
float f(float x) { return x; }
void g() {
  if (b.u < 3u b.u = 2u;
  unknown1 = 1;
}
void h() {
  for (int i = 0; i < 3; ++i b.r[i] = 1.0;
  while (b.u < 3u
    b.u += 1u;
  if (b.u > 1u) != true) b.u = 3u;
  if b.u > 2u) b.u = 1u;
  for uint n = 0; n < 4; ++n) b.u += n;
  if (b.u == 1u return;
  if (f(b.r[0]) > 1.0
    f(2.0);
  b.u = unknown2;
}
void main() {
  b.v = normalize b.v);
  f b.r[0]);
  b.r[3 = 2.0;
  b.r[0] = f(b.r[1 + 2.0);
  b.v = - b.v * b.v);
  float a[2] = {1.0 2.0};
  if (b.v == vec4(0.1, 0.2 0.3, 0.4)) return;
  float t = c.x[0];
  const int n 3;
  if (t 0.5) b.u = 1u;
  b.u = unknown3;
}
