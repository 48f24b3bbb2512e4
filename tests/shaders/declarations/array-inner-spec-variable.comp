// GLSL 4.60, 4.11: in variables too, only the outermost dimension of an array of arrays may be a specialization
// constant. The reference compiler accepts others outside of interfaces (decision 68).
// RUN: coopc --target-env=vulkan1.2 %s
// RUN: coopc --target-env=vulkan1.2 -Wall %s
// RUN: coopc --target-env=vulkan1.2 -fstrict %s
#version 460
layout(local_size_x_id = 2) in;
layout(constant_id = 1) const int N = 4;
const int M = N + 1;
layout(binding = 0) buffer B { int x[]; };

int global[2][N];
shared int workgroup[2][M][3];
shared int sizes[2][gl_WorkGroupSize.x];
int good[N][2];
struct Sized { int a[N]; };
struct Inner { int a[2][N]; };

int sum(int a[2][N], int b[N][2]) { return a[0][x[0]] + b[x[0]][1]; }

void main() {
  int plain[2][N], fine[M][3];
  int[N] split[2];
  int[2] turned[N];
  Sized sized[2];
  Inner inner;
  plain[0][x[0]] = global[1][x[1]] + workgroup[1][x[2]][0] + sizes[1][x[2]];
  fine[x[0]][1] = good[x[1]][0];
  split[1][x[0]] = turned[x[0]][1] = sized[1].a[x[2]] = inner.a[1][x[2]] = 3;
  x[1] = sum(plain, good) + fine[1][2] + split[1][x[1]] + turned[1][1] + sized[0].a[1] + inner.a[1][1];
}
