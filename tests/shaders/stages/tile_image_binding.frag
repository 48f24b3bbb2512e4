// An attachment has a location and nothing else.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_shader_tile_image : require
layout(input_attachment_index = 0) tileImageEXT attachmentEXT before;
layout(location = 0) out vec4 color;
void main() { color = colorAttachmentReadEXT(before); }
