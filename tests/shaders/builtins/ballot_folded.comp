// The extension of an imported instruction set stays with the calls that remain when others are folded.
// RUN: coopc --target-env=vulkan1.3 -O -S %s -o -
#version 460
#extension GL_AMD_shader_ballot : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Result { uint result[]; };
void main() {
  const bool kUse = false;
  uint v = swizzleInvocationsAMD(gl_LocalInvocationIndex, uvec4(1, 0, 3, 2));
  if (kUse) v += addInvocationsAMD(v);
  result[gl_LocalInvocationIndex] = v;
}
