// The size of an attachment in tile memory cannot be queried; that of other images can.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_QCOM_tile_shading : require
layout(set = 0, binding = 0, tile_attachmentQCOM, rgba32f) uniform image2D color;
layout(set = 0, binding = 1, tile_attachmentQCOM) uniform sampler2D before;
layout(set = 0, binding = 2, tile_attachmentQCOM) uniform texture2D separate;
layout(set = 0, binding = 3) uniform sampler s;
layout(set = 0, binding = 4, rgba32f) uniform image2D other;
layout(set = 0, binding = 5) buffer Sizes { ivec2 sizes[]; };
void main() {
  sizes[0] = imageSize(other);
  sizes[1] = imageSize(color);
  sizes[2] = textureSize(before, 0);
  sizes[3] = ivec2(textureQueryLevels(before));
  sizes[4] = textureSize(sampler2D(separate, s), 0);
}
