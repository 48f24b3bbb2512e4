#version 310 es
// Fragment shaders read attachments in tile memory, in any order.
// RUN: coopc --target-env=vulkan1.1 -O %s
// CHECK-SPIRV
#extension GL_QCOM_tile_shading : require
precision highp float;
precision highp int;
layout(non_coherent_attachment_readQCOM) in;
layout(set = 0, binding = 0, tile_attachmentQCOM, rgba32f) uniform readonly highp image2D before;
layout(location = 0) out vec4 color;
void main() { color = imageLoad(before, ivec2(gl_TileOffsetQCOM)); }
