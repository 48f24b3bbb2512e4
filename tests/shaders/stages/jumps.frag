// demote, helperInvocationEXT and terminateInvocation.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.0 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_demote_to_helper_invocation : require
#extension GL_EXT_terminate_invocation : require
layout(location = 0) in float x;
layout(location = 0) out float y;
void main() {
  if (x < 0.0) demote;
  if (x > 1.0) terminateInvocation;
  y = helperInvocationEXT() ? 0.0 : dFdx(x);
}
