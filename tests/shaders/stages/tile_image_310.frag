#version 310 es
// ESSL has attachments with precisions.
// RUN: coopc --target-env=vulkan1.1 -O %s
// CHECK-SPIRV
#extension GL_EXT_shader_tile_image : require
precision highp float;
layout(location = 1) tileImageEXT mediump attachmentEXT before;
layout(location = 0) out vec4 color;
void main() { color = colorAttachmentReadEXT(before) * depthAttachmentReadEXT(); }
