// A block is not an attachment.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_QCOM_tile_shading : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, tile_attachmentQCOM) uniform B { vec4 v; };
void main() {}
