// Attachments are not uniform variables.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_shader_tile_image : require
layout(binding = 0) uniform attachmentEXT before;
layout(location = 0) out vec4 color;
void main() { color = vec4(0); }
