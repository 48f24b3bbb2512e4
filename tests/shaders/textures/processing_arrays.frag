// GL_QCOM_image_processing: the use of textures is declared for arrays of them, and for the elements that are used.
// RUN: coopc --target-env=vulkan1.3 -S %s -o -
// CHECK-SPIRV
#version 460
#extension GL_QCOM_image_processing : require
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 result;
layout(binding = 0) uniform sampler nearest;
layout(binding = 1) uniform texture2D textures[8];
layout(binding = 2) uniform sampler2D targets[3];
layout(binding = 3) uniform sampler2DArray weights[2];
layout(binding = 4) uniform sampler2D weighted[2];
void main() {
  uvec2 at = uvec2(v.xy), size = uvec2(4);
  result = textureBlockMatchSSDQCOM(targets[1], at, sampler2D(textures[at.x % 8], nearest), uvec2(v.zw), size) +
           textureWeightedQCOM(weighted[1], v.xy, weights[1]);
}
