// GL_ARB_texture_multisample adds samplers of multisampled textures to #version 140; without it they came with 150.
// RUN: coopc --target-env=vulkan1.0 -fauto-map-locations -DEXTENSION %s
// RUN: coopc --target-env=vulkan1.0 -fauto-map-locations %s
#version 140
#ifdef EXTENSION
#extension GL_ARB_texture_multisample : require
#endif
#extension GL_ARB_shading_language_420pack : require
layout(binding = 0) uniform sampler2DMS one;
layout(binding = 1) uniform isampler2DMSArray many;
out vec4 color;
void main() {
  ivec3 size = textureSize(many);
  color = texelFetch(one, textureSize(one) - 1, 0) + vec4(texelFetch(many, size - 1, 1));
}
