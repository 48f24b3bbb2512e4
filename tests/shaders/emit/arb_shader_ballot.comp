// The masks of GL_ARB_shader_ballot are one uint64_t each; SPIR-V has four words.
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_ARB_shader_ballot : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint64_t masks[]; } result;

void main() {
  result.masks[0] = gl_SubGroupEqMaskARB | gl_SubGroupLtMaskARB;
  result.masks[1] = ballotARB(gl_SubGroupInvocationARB > 2u) & gl_SubGroupGeMaskARB;
}
