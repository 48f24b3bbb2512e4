// There is one critical section, which begins and ends once.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_ARB_fragment_shader_interlock : require
void main() {
  endInvocationInterlockARB();
  beginInvocationInterlockARB();
  beginInvocationInterlockARB();
}
