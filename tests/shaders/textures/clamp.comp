// Compute shaders without a derivative group have no levels of detail from derivatives.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_ARB_sparse_texture_clamp : require
layout(local_size_x = 4) in;
layout(binding = 0) uniform sampler2D s;
layout(binding = 1) buffer B { vec4 v; };
void main() { v = textureClampARB(s, vec2(0.5), 1.0); }
