// CHECK-SPIRV
// Attachments may have layers and several samples, and be compared: SPIR-V requires two dimensions (VUID-StandaloneSpirv-OpTypeImage-10693).
#version 460
#extension GL_QCOM_tile_shading : require
layout(shading_rate_xQCOM = 1, shading_rate_yQCOM = 1) in;
layout(tile_attachmentQCOM, set = 0, binding = 0, rgba8) uniform image2DArray i;
layout(tile_attachmentQCOM, set = 0, binding = 1) uniform sampler2DMS s;
layout(tile_attachmentQCOM, set = 0, binding = 2) uniform sampler2DShadow d;
void main() {
  imageStore(i, ivec3(0), texelFetch(s, ivec2(0), 1) * textureLod(d, vec3(0), 0.0));
}
