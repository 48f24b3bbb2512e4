// RUN: coopc --target-env=vulkan1.3 -Wall %s
#version 450
// What must be a constant integral expression, and constants that show undefined behaviour.
layout(local_size_x = 1) in;
layout(constant_id = 0) const int N = 4;
layout(set = 0, binding = N) buffer Data { int values[]; } data;
layout(set = 0, binding = 1.5) buffer More { int more[]; };
int count() { return 3; }
void main() {
  int n = 3;
  const int m = n;
  int c = 1;
  float a[n];
  float b[m];
  float d[(1, 2)];
  float e[count()];
  float g[2.0];
  int zero = 5 / 0;
  int rest = n % 0;
  int wide = 1 << 32;
  uint wider = uint(n) >> 33;
  int negative = n << -1;
  c /= 0;
  int over = int(1e20);
  uint under = uint(-2.0);
}
