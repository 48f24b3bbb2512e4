// SPIR-V passes whole variables of tile image storage only.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_shader_tile_image : require
layout(location = 0) tileImageEXT attachmentEXT before[2];
layout(location = 0) out vec4 color;
vec4 load(attachmentEXT one) { return colorAttachmentReadEXT(one); }
void main() { color = load(before[1]); }
