#version 460
#extension GL_ARB_fragment_shader_interlock : require
layout(pixel_interlock_ordered) in;
layout(set = 0, binding = 1, r32ui) uniform coherent uimage2D sum;
layout(location = 0) flat in int instance;
void main() {
  beginInvocationInterlockARB();
  uint old = imageLoad(sum, ivec2(gl_FragCoord.xy)).x;
  imageStore(sum, ivec2(gl_FragCoord.xy), uvec4(old * 10u + uint(instance) + 1u));
  endInvocationInterlockARB();
}
