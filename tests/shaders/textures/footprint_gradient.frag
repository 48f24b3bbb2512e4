// Only 2D textures have footprints with gradients.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_NV_shader_texture_footprint : require
layout(binding = 0) uniform sampler3D s;
layout(location = 0) out vec4 color;
void main() {
  gl_TextureFootprint3DNV a;
  color = vec4(textureFootprintGradNV(s, vec3(1), vec3(1), vec3(1), 1, true, a));
}
