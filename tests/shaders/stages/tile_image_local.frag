// Attachments cannot be local variables.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_shader_tile_image : require
layout(location = 0) out vec4 color;
void main() {
  attachmentEXT before;
  color = vec4(0);
}
