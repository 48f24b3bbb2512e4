// Look-ups of arrays and cubes of shadow maps with a bias or a level of detail.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_texture_shadow_lod : require
layout(binding = 0) uniform sampler2DArrayShadow layers;
layout(binding = 1) uniform samplerCubeArrayShadow cubes;
layout(binding = 2) uniform samplerCubeShadow cube;
layout(location = 0) in vec4 p;
layout(location = 0) out float lit;
void main() {
  lit = texture(layers, p, 0.5) + texture(cubes, p, 0.25, 0.5) + textureOffset(layers, p, ivec2(1, 2), 0.5);
  lit += textureLod(layers, p, 1.0) + textureLod(cube, p, 1.0) + textureLod(cubes, p, 0.25, 1.0);
  lit += textureLodOffset(layers, p, 1.0, ivec2(3, 4));
}
