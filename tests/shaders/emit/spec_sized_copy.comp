// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
// Arrays that specialization constants size, copied between memory layouts as arguments: a loop below SPIR-V 1.4, and
// where bool is a number in memory.
#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint kCount = 4;
layout(constant_id = 1) const int kRows = 2;
struct Row { vec3 v[kCount]; };
struct S { float a; Row rows[kRows]; bool flags[kCount]; };
layout(set = 0, binding = 0) buffer B { float stored[kCount]; S s; bool b[kRows]; } b;
float first(float x[kCount]) { return x[0]; }
void change(inout S s, out bool flags[kRows]) {
  s.rows[1].v[2] = vec3(s.a);
  flags[0] = s.flags[1];
}
void main() {
  b.stored[1] = first(b.stored);
  change(b.s, b.b);
}
