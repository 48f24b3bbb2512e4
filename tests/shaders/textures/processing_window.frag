// Textures with windows are for the functions of the second extension only.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_QCOM_image_processing : require
#extension GL_QCOM_image_processing2 : require
layout(binding = 0) uniform sampler2D s;
layout(binding = 1) uniform sampler2DArray weights;
layout(binding = 2) uniform sampler2D other;
layout(location = 0) out vec4 color;
void main() {
  color = textureBlockMatchSADQCOM(s, uvec2(1), s, uvec2(2), uvec2(4));
  color += textureBlockMatchWindowSADQCOM(other, uvec2(1), s, uvec2(2), uvec2(4));
}
