// A capability that the program itself names without an extension adds none; other uses of it still declare the extension.
// RUN: coopc --target-env=vulkan1.0 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_spirv_intrinsics : require
#extension GL_ARB_shader_group_vote : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint first, second; } result;
spirv_instruction(capabilities = [4431], id = 4428) bool allOf(bool value);
void main() {
  if (allOf(result.first > 0u)) result.second = 1u;
  if (anyInvocationARB(result.first > 1u)) result.second = 2u;
}
