// A bias needs derivatives.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_EXT_texture_shadow_lod : require
layout(binding = 0) uniform sampler2DArrayShadow layers;
void main() { gl_Position = vec4(texture(layers, vec4(0.5), 1.0)); }
