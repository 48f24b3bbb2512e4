#version 450
// The error is reported at the end of the token before.
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float d[4]; } b;
#define ONE 1.0
float g()
void f() {
  float a = b.d[0]  // a comment
  b.d[1] = a;
  b.d[2] = ONE
  b.d[3] = 1.0;
  return
}
struct S { float x }
void main() {}
