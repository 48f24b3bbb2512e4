// CHECK-SPIRV
// If attributes exclude each other, the last one counts.
#version 460
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { int n; };
void main() {
  [[dependency_length(4), dependency_infinite]] for (int i = 0; i < n; ++i) n += i;
  [[dependency_infinite, dependency_length(4)]] for (int i = 0; i < n; ++i) n += i;
  [[unroll, dont_unroll]] for (int i = 0; i < n; ++i) n += i;
  [[dont_unroll, unroll]] for (int i = 0; i < n; ++i) n += i;
  [[flatten, dont_flatten]] if (n == 1) n = 2;
  [[dont_flatten, flatten]] if (n == 1) n = 2;
}
