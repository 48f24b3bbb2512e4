// Attachments and subpass inputs exclude each other.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_shader_tile_image : require
layout(location = 0) tileImageEXT attachmentEXT before;
layout(binding = 0, input_attachment_index = 0) uniform subpassInput other;
layout(location = 0) out vec4 color;
void main() { color = colorAttachmentReadEXT(before) + subpassLoad(other); }
