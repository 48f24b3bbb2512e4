// `in out` and `out in` mean `inout` (decision 72): conformance tests of Vulkan write them.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
// RUN: coopc --target-env=vulkan1.3 -fstrict %s
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uvec4 data[]; };
void clear(in out uvec4 v, uint bit) { v[bit / 32u] &= ~(1u << (bit % 32u)); }
void set(out in uvec4 v, uint bit) { v[bit / 32u] |= 1u << (bit % 32u); }
void main() {
  uvec4 v = data[0];
  clear(v, data[1].x);
  set(v, data[1].y);
  data[0] = v;
}
