// Size, levels and level of detail of a texture that is combined with a sampler for depth comparisons: the
// image has the type of the texture, which says nothing about depth.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(binding = 0) uniform texture2D t;
layout(binding = 1) uniform samplerShadow s;
layout(binding = 2) uniform sampler plain;
layout(binding = 3) uniform textureCubeArray cubes[4];
layout(location = 0) in vec3 p;
layout(location = 1) flat in int index;
layout(location = 0) out vec4 color;
void main() {
  vec2 size = vec2(textureSize(sampler2DShadow(t, s), 0));
  int levels = textureQueryLevels(sampler2DShadow(t, s));
  vec2 lod = textureQueryLod(sampler2DShadow(t, plain), p.xy);
  ivec3 cubeSize = textureSize(samplerCubeArrayShadow(cubes[nonuniformEXT(index)], plain), levels);
  color = vec4(texture(sampler2DShadow(t, s), p)) + vec4(size, lod) + vec4(cubeSize, levels);
}
