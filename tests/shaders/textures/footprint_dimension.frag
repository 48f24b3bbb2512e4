// Only 2D and 3D textures have footprints.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_NV_shader_texture_footprint : require
layout(binding = 0) uniform samplerCube s;
layout(location = 0) out vec4 color;
void main() {
  gl_TextureFootprint2DNV a;
  color = vec4(textureFootprintNV(s, vec3(1), 1, true, a));
}
