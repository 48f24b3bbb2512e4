// Gathers with a bias or a level of detail.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_ARB_sparse_texture2 : require
#extension GL_AMD_texture_gather_bias_lod : require
layout(binding = 0) uniform sampler2D s;
layout(binding = 1) uniform samplerCubeArray cubes;
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 color;
const ivec2 offsets[4] = {ivec2(0), ivec2(1), ivec2(2), ivec2(3)};
void main() {
  color = textureGather(s, p.xy, 0, 0.5) + textureGather(cubes, p, 3, 0.5);
  color += textureGatherOffset(s, p.xy, ivec2(1), 0, 0.5) + textureGatherOffsets(s, p.xy, offsets, 1, 0.5);
  color += textureGatherLodAMD(s, p.xy, 1.0) + textureGatherLodAMD(cubes, p, 1.0, 2);
  color += textureGatherLodOffsetAMD(s, p.xy, 1.0, ivec2(1), 3) + textureGatherLodOffsetsAMD(s, p.xy, 1.0, offsets);
  vec4 texel;
  int code = sparseTextureGatherARB(s, p.xy, texel, 1, 0.5) | sparseTextureGatherLodAMD(s, p.xy, 1.0, texel);
  code |= sparseTextureGatherLodOffsetAMD(s, p.xy, 1.0, ivec2(2), texel, 2);
  code |= sparseTextureGatherLodOffsetsAMD(s, p.xy, 1.0, offsets, texel);
  if (sparseTexelsResidentARB(code)) color += texel;
}
