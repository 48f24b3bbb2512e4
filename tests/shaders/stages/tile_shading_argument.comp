// SPIR-V passes no pointers to tile memory.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_QCOM_tile_shading : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, tile_attachmentQCOM, rgba32f) uniform image2D color;
void clear(layout(rgba32f) image2D one) { imageStore(one, ivec2(0), vec4(0)); }
void main() { clear(color); }
