// RUN: coopc %s
// RUN: coopc -Wunreachable-code %s
// RUN: coopc -Wno-unreachable-code %s
// RUN: coopc -Wno-such-warning %s
#version 450
// Statements after jumps. A `break` after a `return` in a switch is common.
layout(local_size_x = 1) in;
layout(binding = 0) buffer B {
  float d[4];
  uint n;
} b;
float f(uint n) {
  switch (n) {
    case 0: return 1.0; break;
    case 1:
      b.d[1] = 3.0;
      break;
      b.d[2] = 1.0;
    default: return 2.0;
  }
  return 0.0;
}
void main() {
  for (uint i = 0; i < b.n; ++i) {
    if (i == 3u) {
      continue;
      b.d[0] = 1.0;
    }
    if (i == 4u)
      break;
    else
      continue;
    b.d[1] = f(i);
    b.d[2] = 2.0;
  }
  return;
  b.d[3] = 1.0;
}
