// A critical section that does not end.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_ARB_fragment_shader_interlock : require
void main() {
  beginInvocationInterlockARB();
}
