// Attachments have a set and a binding.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_QCOM_tile_shading : require
layout(local_size_x = 1) in;
layout(binding = 0, tile_attachmentQCOM, rgba32f) uniform image2D color;
void main() {}
