// Attachments in tile memory; a workgroup covers a part of the tile.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_QCOM_tile_shading : require
layout(shading_rate_xQCOM = 2, shading_rate_zQCOM = 3) in;
layout(set = 0, binding = 0, tile_attachmentQCOM, rgba32f) uniform image2D color;
layout(set = 0, binding = 1, tile_attachmentQCOM, r32ui) uniform uimage2D counts;
layout(set = 0, binding = 2, tile_attachmentQCOM) uniform sampler2D before;
layout(set = 0, binding = 3, rgba32f) uniform image2D other;
void main() {
  ivec2 at = ivec2(gl_TileOffsetQCOM + gl_TileDimensionQCOM.xy / 2u + gl_TileApronSizeQCOM);
  imageStore(color, at, imageLoad(color, at) + imageLoad(other, at) + texelFetch(before, at, 0));
  imageStore(counts, at, imageLoad(counts, at) + 1u);
}
