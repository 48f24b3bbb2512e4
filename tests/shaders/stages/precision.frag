// Default precisions of fragment shaders in ESSL.
// RUN: coopc --target-env=vulkan1.3 -std=310es %s
// CHECK-SPIRV
precision mediump float;
layout(location = 0) in vec2 uv;
layout(location = 1) in highp float x;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() {
  int i = int(uv.x);
  color = texture(image, uv + gl_PointCoord) * x * float(i) + gl_FragCoord;
}
