// CHECK-SPIRV
// Storage images, textures and textures with a sampler are attachments of tiles.
#version 460
#extension GL_QCOM_tile_shading : require
layout(shading_rate_xQCOM = 1, shading_rate_yQCOM = 1) in;
layout(tile_attachmentQCOM, set = 0, binding = 0, rgba8) uniform image2D i;
layout(tile_attachmentQCOM, set = 0, binding = 1) uniform texture2D t;
layout(tile_attachmentQCOM, set = 0, binding = 2) uniform sampler2D s;
void main() {
  imageStore(i, ivec2(0), texelFetch(s, ivec2(0), 0));
}
