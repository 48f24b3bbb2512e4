#version 320 es
// ESSL 3.20, 7.1: gl_SampleMaskIn and gl_SampleMask have (gl_MaxSamples + 31) / 32 elements. In desktop GLSL they have no size.
// RUN: coopc --target-env=vulkan1.1 -fauto-map-locations %s
precision highp float;
layout(location = 0) out vec4 color;
const int elements = (gl_MaxSamples + 31) / 32;
void main() {
  const int n = gl_SampleMask.length() + gl_SampleMaskIn.length();
  int twice[n == 2 * elements ? 1 : -1];
  for (int i = 0; i < gl_SampleMask.length(); ++i) gl_SampleMask[i] = gl_SampleMaskIn[i];
  twice[0] = n;
  color = vec4(float(twice[0]));
}
