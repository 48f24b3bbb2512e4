// Offsets must be constant.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_ARB_sparse_texture_clamp : require
layout(binding = 0) uniform sampler2D s;
layout(location = 0) in flat ivec2 o;
layout(location = 0) out vec4 color;
void main() { color = textureOffsetClampARB(s, vec2(0.5), o, 1.0); }
