// Without derivatives, the footprint is that of the base level.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_NV_shader_texture_footprint : require
layout(binding = 0) uniform sampler2D flats;
void main() {
  gl_TextureFootprint2DNV a;
  gl_Position = vec4(textureFootprintNV(flats, vec2(0.5), 1, false, a));
}
