// RUN: coopc --target-env=vulkan1.3 -Wall %s
// CHECK-SPIRV
// A division by a constant zero gives a warning and a fixed value; one by a specialization constant gives no warning.
#version 460
layout(local_size_x = 1) in;
layout(constant_id = 0) const int N = 3;
layout(constant_id = 1) const int Z = 0;
layout(constant_id = 2) const uint U = 3;
const int a = 5 / 0;
const int b = 5 % 0;
const uint c = 5u / 0u;
const uint d = 5u % 0u;
const int e = N / 0;
const int f = N % 0;
const uint g = U / 0u;
const int h = 7 / Z;
const int i = N / Z;
const int j = 7 % N;
const int k = (-2147483647 - 1) / -1;
layout(set = 0, binding = 0) buffer B { int s[9]; uint u[3]; };
void main() {
  s = int[](a, b, e, f, h, i, j, k, 0);
  u = uint[](c, d, g);
}
