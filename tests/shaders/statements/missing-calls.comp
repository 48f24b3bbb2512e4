#version 450
// Calls without a semicolon, one after the other: each is one error.
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float r; } b;
float f(float x) { return x; }
void g() {}
void main() {
  f(1.0)
  f(2.0)
  b.r = unknown1(2.0);
  b.r = 1.0
  g()
  g()
  for (int i = 0; i < 2; ++i) b.r = unknown2;
  g()
  float y = unknown3;
  g()
  return
}
