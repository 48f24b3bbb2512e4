// Vertex shaders have no levels of detail from derivatives.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_ARB_sparse_texture_clamp : require
layout(binding = 0) uniform sampler2D s;
void main() { gl_Position = textureClampARB(s, vec2(0.5), 1.0); }
