// A texel has only four components.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_AMD_texture_gather_bias_lod : require
layout(binding = 0) uniform sampler2D s;
layout(location = 0) out vec4 color;
void main() { color = textureGatherLodAMD(s, vec2(0.5), 1.0, 4); }
