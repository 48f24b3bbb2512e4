// RUN: coopc --target-env=vulkan1.0 %s
// RUN: coopc --target-env=vulkan1.1 %s
#version 450
// Subgroup functions and variables came with SPIR-V 1.3.
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  x[0] = subgroupAdd(x[1]) + gl_SubgroupSize;
  subgroupBarrier();
}
