// GL_ARB_fragment_shader_interlock without a layout qualifier: pixel_interlock_ordered.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_ARB_fragment_shader_interlock : require
layout(early_fragment_tests) in;
layout(set = 0, binding = 0) coherent buffer Counter {
  uint count;
};
void main() {
  if (gl_FrontFacing) discard;
  {
    beginInvocationInterlockARB();
    count += 1;
  }
  endInvocationInterlockARB();
}
