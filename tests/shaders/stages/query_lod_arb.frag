// GL_ARB_texture_query_lod spells its function textureQueryLOD; from 4.00 on it is textureQueryLod.
// RUN: coopc --target-env=vulkan1.0 -DEXTENSION %s
// RUN: coopc --target-env=vulkan1.0 %s
// CHECK-SPIRV
#version 330
#ifdef EXTENSION
#extension GL_ARB_texture_query_lod : require
#endif
#extension GL_ARB_shading_language_420pack : require
layout(binding = 0) uniform sampler2D colors;
layout(location = 0) in vec2 place;
layout(location = 0) out vec2 levels;
void main() { levels = textureQueryLOD(colors, place); }
