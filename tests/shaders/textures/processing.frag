// Filters, block matching and gathers of rows; a texture's use is declared with it.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_QCOM_image_processing : require
#extension GL_QCOM_image_processing2 : require
#extension GL_QCOM_image_processing3 : require
layout(binding = 0) uniform sampler2D s;
layout(binding = 1) uniform sampler2DArray weights;
layout(binding = 2) uniform texture1DArray rows;
layout(binding = 3) uniform texture2D target;
layout(binding = 4) uniform sampler2D reference;
layout(binding = 5) uniform texture2D window;
layout(binding = 6) uniform sampler2D windowReference;
layout(binding = 7) uniform sampler filters;
layout(binding = 8) uniform sampler windowFilters;
layout(binding = 9) uniform usampler2DArray layers;
layout(location = 0) in vec4 p;
layout(location = 1) in flat ivec2 o;
layout(location = 0) out vec4 color;
vec4 match(sampler2D other, uvec2 at) {
  return textureBlockMatchSADQCOM(sampler2D(target, filters), at, other, at, uvec2(4));
}
void main() {
  uvec2 at = uvec2(p.zw);
  color = textureWeightedQCOM(s, p.xy, weights) + textureWeightedQCOM(s, p.xy, sampler1DArray(rows, filters));
  color += textureBoxFilterQCOM(s, p.xy, p.zw) + match(reference, at);
  color += textureBlockMatchSSDQCOM(sampler2D(target, filters), at, sampler2D(target, filters), at, uvec2(8));
  color += textureBlockMatchWindowSADQCOM(sampler2D(window, windowFilters), at, windowReference, at, uvec2(4));
  color += textureBlockMatchWindowSSDQCOM(windowReference, at, sampler2D(window, windowFilters), at, uvec2(4));
  color += textureBlockMatchGatherSADQCOM(windowReference, at, windowReference, at, uvec2(4));
  color += textureBlockMatchGatherSSDQCOM(windowReference, at, windowReference, at, uvec2(4));
  color += textureGather4x1QCOM(s, p.xy) + textureGatherDQCOM(s, p.xy, 1) + textureGatherH2QCOM(s, p.xy, 2);
  color += textureGatherV2QCOM(s, p.xy, 3) + textureGather4x1OffsetQCOM(s, p.xy, ivec2(1));
  color += textureGatherDOffsetQCOM(s, p.xy, o) + textureGatherH2OffsetQCOM(s, p.xy, o, 2);
  color += vec4(textureGatherV2OffsetQCOM(layers, p.xyz, ivec2(2), 3));
}
