// Only multisampled images have masks.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_AMD_shader_fragment_mask : require
layout(binding = 0) uniform sampler2D s;
layout(location = 0) out vec4 color;
void main() { color = vec4(fragmentMaskFetchAMD(s, ivec2(0))); }
