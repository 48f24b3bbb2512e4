// If only a semicolon is missing at the end of a line, the next statement is checked.
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float r; } b
layout(binding = 1) buffer C { float s; };
struct S { float a; float c };
float f(float x) {
  return x
  return nosuch(x);
}
void main() {
  f(1.0)
  b.r = nosuch(b.r);
  float m = 2.0
  m += undeclared;
  if (m > 1.0) m = 3.0
  else m = alsoUndeclared;
  for (int i = 0; i < 3
       i += nothing) b.r += 1.0;
  do m += 1.0; while (m < 10.0)
  int k = 1.5;
  f(2.0) f(3.0);
  k = neither;
}
