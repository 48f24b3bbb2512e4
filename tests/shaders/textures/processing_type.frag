// Filters are for 2D textures of floats.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_QCOM_image_processing : require
layout(binding = 0) uniform isampler2D s;
layout(location = 0) out vec4 color;
void main() { color = textureBoxFilterQCOM(s, vec2(0.5), vec2(2)); }
