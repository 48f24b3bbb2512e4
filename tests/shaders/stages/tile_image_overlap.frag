// Two variables do not share a location.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_shader_tile_image : require
layout(location = 0) tileImageEXT attachmentEXT first[2];
layout(location = 1) tileImageEXT attachmentEXT second;
layout(location = 0) out vec4 color;
void main() { color = colorAttachmentReadEXT(first[0]) + colorAttachmentReadEXT(second); }
