// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -O %s
// CHECK-SPIRV
// Specialization constants used only by types and initializers of globals, and functions that only these call.
#version 460
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const int A = 2;
layout(constant_id = 1) const int B = 2;
layout(constant_id = 2) const int C = 2;
layout(constant_id = 3) const int D = 2;
layout(constant_id = 4) const int unused = 2;
struct S { int a[A]; };
layout(set = 0, binding = 0) buffer Buffer { int n; };
int scaled(int v) { return v * C; }
int never(int v) { return v * unused; }
int start = scaled(3);
void main() {
  S s;
  int local[B];
  n = start + int(s.a.length());
}
