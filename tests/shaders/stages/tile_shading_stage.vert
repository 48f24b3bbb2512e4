// Vertex shaders do not work on tiles.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_QCOM_tile_shading : require
layout(set = 0, binding = 0, tile_attachmentQCOM, rgba32f) uniform image2D color;
void main() {}
