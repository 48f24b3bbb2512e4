// A footprint of a 2D texture has its own structure.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_NV_shader_texture_footprint : require
layout(binding = 0) uniform sampler2D s;
layout(location = 0) out vec4 color;
void main() {
  gl_TextureFootprint3DNV a;
  color = vec4(textureFootprintNV(s, vec2(1), 1, true, a));
}
