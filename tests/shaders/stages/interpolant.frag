// RUN: coopc --target-env=vulkan1.3 %s
#version 430
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() {
  vec4 b = a;
  color = interpolateAtCentroid(b) + interpolateAtSample(a + b, 1);
  color.xy += interpolateAtOffset(a.xy, vec2(0));
}
