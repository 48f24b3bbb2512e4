// The same words are qualifiers in `#version 330` where another word of a declaration follows.
// RUN: coopc --target-env=vulkan1.3 %s
#version 330
layout(location = 0) sample in vec2 p;
layout(location = 0) out vec4 color;
layout(std430, binding = 0) coherent readonly buffer Data { restrict vec4 data[]; };
layout(binding = 1, rgba8) writeonly uniform image2D image;
void main() {
  precise vec4 v = data[0] * p.x + p.y;
  color = v;
  imageStore(image, ivec2(0), v);
}
