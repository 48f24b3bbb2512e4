// There are as many attachments as outputs.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_shader_tile_image : require
layout(location = 31) tileImageEXT attachmentEXT before[2];
layout(location = 0) out vec4 color;
void main() { color = colorAttachmentReadEXT(before[0]); }
