// An attachment has a location.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_shader_tile_image : require
tileImageEXT attachmentEXT before;
layout(location = 0) out vec4 color;
void main() { color = colorAttachmentReadEXT(before); }
