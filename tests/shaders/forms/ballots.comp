// RUN: coopc --target-env=vulkan1.0 %s
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
// Ballots and reads from another invocation, before and since SPIR-V 1.3.
#version 450
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_ARB_shader_group_vote : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint64_t mask; uvec4 u; vec2 f; uint last; };
void main() {
  mask = ballotARB(u.x > 3u) | gl_SubGroupEqMaskARB;
  u = readFirstInvocationARB(u);
  f = readInvocationARB(f, 3u);
  last = readFirstInvocationARB(last) + (anyInvocationARB(last > 2u) ? 1u : 0u) + (allInvocationsARB(last > 2u) ? 2u : 0u);
}
