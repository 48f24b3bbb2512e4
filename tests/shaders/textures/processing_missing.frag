// The functions of the second extension need it.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_QCOM_image_processing : require
layout(binding = 0) uniform sampler2D s;
layout(location = 0) out vec4 color;
void main() { color = textureBlockMatchGatherSADQCOM(s, uvec2(1), s, uvec2(2), uvec2(4)); }
