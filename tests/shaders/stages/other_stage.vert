// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D image;
layout(depth_less) out float depth;
void main() {
  gl_Position = texture(image, uv, 1.0) + dFdx(uv).xxxx;
  if (gl_FrontFacing) discard;
  gl_FragDepth = 1.0;
}
