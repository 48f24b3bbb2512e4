// A tile attachment is not in a descriptor heap.
// RUN: coopc --target-env=vulkan1.4 %s
#version 460
#extension GL_QCOM_tile_shading : require
#extension GL_EXT_descriptor_heap : require
layout(set = 0, binding = 0, descriptor_heap, tile_attachmentQCOM, rgba8) uniform image2D attachment;
void main() {}
