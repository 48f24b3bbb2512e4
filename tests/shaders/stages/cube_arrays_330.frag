// GL_ARB_texture_cube_map_array adds arrays of cube maps to versions before 4.00.
// RUN: coopc --target-env=vulkan1.0 -fauto-map-locations -DEXTENSION %s
// RUN: coopc --target-env=vulkan1.0 -fauto-map-locations %s
#version 330
#ifdef EXTENSION
#extension GL_ARB_texture_cube_map_array : require
#endif
#extension GL_ARB_shading_language_420pack : require
layout(binding = 0) uniform samplerCubeArray colors;
layout(binding = 1) uniform samplerCubeArrayShadow shadows;
in vec4 direction;
out vec4 color;
void main() { color = texture(colors, direction) + texture(shadows, direction, 0.5) + vec4(textureSize(colors, 0), 0); }
