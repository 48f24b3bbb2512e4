// SPIR-V 1.0 does not have the loop controls of these hints, which then have no effect.
// RUN: coopc --target-env=vulkan1.0 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { int n; } b;
void main() {
  [[dependency_length(4)]] for (int i = 0; i < 3; ++i) b.n++;
  [[dependency_infinite, unroll]] for (int i = 0; i < 3; ++i) b.n++;
}
