// If a constructor's type leaves sizes of inner arrays open, they are those of the elements, if these agree.
#version 460
layout(local_size_x = 1) in;
void main() {
  int a[1][2][3] = int[][2][](int[2][3](int[](1, 2, 3), int[](4, 5, 6)));
  int b[1][3][2] = int[][2][](int[3][2](int[](1, 2), int[](3, 4), int[](5, 6)));
  int c[2][2] = int[][](int[](1, 2), int[](3, 4));
  int d[2][2][1] = int[2][][](int[][](int[](1), int[](2)), int[][](int[](3), int[](4)));
}
