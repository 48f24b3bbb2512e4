// Sizes of inner arrays that constructors leave open, and sizes that do not fit.
#version 460
layout(local_size_x = 1) in;
void main() {
  int a[][2] = int[][2](int[2](1, 2), int[2](3, 4));
  int b[][] = int[][](int[](1, 2), int[](3, 4));
  int c[][] = int[2][](int[](1, 2), int[](3, 4));
  int d[][2] = int[][](int[](1, 2), int[](3, 4));
  int e[][3] = int[][](int[](1, 2), int[](3, 4));
  int f[][] = int[][2](int[](1, 2), int[](3, 4, 5));
  int g[2][] = int[][3](int[](1, 2, 3), int[](3, 4, 5), int[](6, 7, 8));
  int h[][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
  int s = a[1][1] + b[1][1] + c[1][1] + d[1][1] + h[2][1];
}
