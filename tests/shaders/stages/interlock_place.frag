// Critical sections begin and end in main, outside of control flow, and not after a return.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_ARB_fragment_shader_interlock : require
layout(pixel_interlock_ordered) in;
layout(pixel_interlock_ordered) in;
layout(sample_interlock_ordered) in;
void begin() {
  beginInvocationInterlockARB();
}
void main() {
  begin();
  if (gl_FrontFacing) beginInvocationInterlockARB();
  for (int i = 0; i < 2; ++i) {
    endInvocationInterlockARB();
  }
  if (gl_FragCoord.x > 2) return;
  endInvocationInterlockARB();
}
