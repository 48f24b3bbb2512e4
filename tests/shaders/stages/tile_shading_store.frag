// Fragment shaders read attachments in tile memory and use atomics on them, but only compute shaders store to them (decision 74).
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
#version 460
#extension GL_QCOM_tile_shading : require
layout(set = 0, binding = 0, tile_attachmentQCOM, rgba32f) uniform image2D color;
layout(set = 0, binding = 1, tile_attachmentQCOM, r32ui) uniform uimage2D counts;
layout(set = 0, binding = 2, rgba32f) uniform image2D other;
layout(location = 0) out vec4 o;
void main() {
  ivec2 at = ivec2(gl_TileOffsetQCOM);
  imageAtomicAdd(counts, at, 1u);
  o = imageLoad(color, at);
  imageStore(other, at, o);
  imageStore(color, at, o);
}
