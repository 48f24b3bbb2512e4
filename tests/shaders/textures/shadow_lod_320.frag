#version 320 es
// ESSL has them too.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#extension GL_EXT_texture_shadow_lod : require
precision highp float;
layout(binding = 0) uniform highp sampler2DArrayShadow layers;
layout(binding = 1) uniform highp samplerCubeArrayShadow cubes;
layout(location = 0) in vec4 p;
layout(location = 0) out float lit;
void main() { lit = textureLod(layers, p, 1.0) + texture(cubes, p, 0.25, 0.5); }
