// The default of a specialization constant is not necessarily the size that a pipeline is made with (decision 27).
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
#version 450
layout(constant_id = 0) const uint n = 0u;
layout(constant_id = 1) const int m = -1;
layout(constant_id = 2) const uint k = 4u;
layout(local_size_x = 1) in;
shared float a[n];
shared float b[n + 0u];
shared float c[m];
shared float d[k];
shared float e[k - 4u];
void main() {
  float f[2][n];
  f[1][0] = 3.0;
  a[0] = 1.0;
  b[0] = 2.0;
  c[0] = d[0] + e[0];
}
