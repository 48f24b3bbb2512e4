// A texel has only four components.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_QCOM_image_processing3 : require
layout(binding = 0) uniform sampler2D s;
layout(location = 0) out vec4 color;
void main() { color = textureGatherH2QCOM(s, vec2(0.5), 4); }
