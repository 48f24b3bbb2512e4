// Attachments in tile memory, which have no queries, and stores to them only in compute shaders.
#version 460
#extension GL_QCOM_tile_shading : require
layout(set = 0, binding = 0, tile_attachmentQCOM, rgba32f) uniform image2D color;
layout(location = 0) out vec4 o;
void main() {
  ivec2 size = imageSize(color);
  imageStore(color, ivec2(0), vec4(size.x));
  o = vec4(0.0);
}
