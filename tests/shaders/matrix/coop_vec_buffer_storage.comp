// CoopVecBufferStorage: the only rule that this program breaks.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_NV_cooperative_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Weights { uint8_t w[]; } weights;
layout(set = 0, binding = 1) buffer Sums { float16_t s[]; } sums;
shared float16_t tile[64];

void main() {
  coopvecNV<float16_t, 16> x = coopvecNV<float16_t, 16>(1.0);
  coopvecNV<float16_t, 32> y;
  coopVecLoadNV(x, tile, 0);
  coopVecReduceSumAccumulateNV(x, tile, 0);
}
