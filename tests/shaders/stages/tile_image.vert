// Vertex shaders have no attachments.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_shader_tile_image : require
void first(attachmentEXT one) {}
void main() { gl_Position = vec4(0); }
