// SPV_QCOM_image_processing needs SPIR-V 1.4.
// RUN: coopc --target-env=vulkan1.0 %s
#version 460
#extension GL_QCOM_image_processing : require
layout(binding = 0) uniform sampler2D s;
layout(location = 0) out vec4 color;
void main() { color = textureBoxFilterQCOM(s, vec2(0.5), vec2(2)); }
