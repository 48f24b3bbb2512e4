// RUN: coopc --target-env=vulkan1.1 %s
// RUN: coopc --target-env=vulkan1.2 %s
#version 450
// Before SPIR-V 1.5 the invocation that is broadcast is a constant.
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  x[0] = subgroupBroadcast(x[1], x[2]);
  x[1] = subgroupQuadBroadcast(x[1], x[2]);
}
