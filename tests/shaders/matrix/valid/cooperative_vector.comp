// Everything of GL_NV_cooperative_vector at once.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_NV_cooperative_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Weights { uint8_t w[]; } weights;
layout(set = 0, binding = 1) buffer Sums { float16_t s[]; } sums;
shared float16_t tile[64];

layout(constant_id = 0) const uint K = 16;

coopvecNV<float16_t, 32> layer(coopvecNV<float16_t, K> x, uint offset) {
  coopvecNV<float16_t, 32> y;
  coopVecMatMulAddNV(y, x, gl_ComponentTypeFloat16NV, weights.w, offset, gl_ComponentTypeFloat16NV, sums.s, 64,
                     gl_ComponentTypeFloat16NV, 32, K, gl_CooperativeVectorMatrixLayoutInferencingOptimalNV, true, 0);
  return max(y, coopvecNV<float16_t, 32>(0.0));
}

void main() {
  coopvecNV<float16_t, K> x;
  coopVecLoadNV(x, weights.w, 16 * gl_GlobalInvocationID.x);
  coopvecNV<float16_t, 32> y = layer(x, 128);
  y = y * float16_t(2.0) + y;
  for (int i = 0; i < y.length(); ++i) y[i] += float16_t(i);
  coopvecNV<int, 32> n = coopvecNV<int, 32>(y);
  n = (n << coopvecNV<int, 32>(2)) ^ ~n;
  coopvecNV<float16_t, 4> small = coopvecNV<float16_t, 4>(x[0], 1.0, 2.0, float16_t(3));
  coopVecMatMulNV(y, small, gl_ComponentTypeFloat16NV, weights.w, 0, gl_ComponentTypeFloat16NV, 32, 4,
                  gl_CooperativeVectorMatrixLayoutRowMajorNV, false, 16);
  coopVecStoreNV(y, tile, 0);
  coopVecStoreNV(n, weights.w, 1024);
  coopVecOuterProductAccumulateNV(y, small, sums.s, 0, 0, gl_CooperativeVectorMatrixLayoutTrainingOptimalNV,
                                  gl_ComponentTypeFloat16NV);
  coopVecReduceSumAccumulateNV(y, sums.s, 32);
}
