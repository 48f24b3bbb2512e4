// Attachments cannot be assigned to.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_shader_tile_image : require
layout(location = 0) tileImageEXT attachmentEXT before;
layout(location = 1) tileImageEXT attachmentEXT other;
layout(location = 0) out vec4 color;
void main() {
  before = other;
  color = vec4(0);
}
