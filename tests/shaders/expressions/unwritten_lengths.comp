// RUN: coopc --target-env=vulkan1.3 -Wall %s
// The length of a variable is known whether or not it has been written.
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { int n; };
void main() {
  int a[3];
  n = a.length();
  vec3 v;
  n += v.length();
  int b[2];
  n += b[1];
  mat2 m;
  n += m.length() + int(m[0][0]);
  n += m[1].length();
}
