// An outer product's offset is a multiple of 16, not of 64.
#version 460
#extension GL_NV_cooperative_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
void main() {
  coopvecNV<float16_t, 16> v = coopvecNV<float16_t, 16>(1.0);
  coopVecOuterProductAccumulateNV(v, v, data.x, 16, 0, gl_CooperativeVectorMatrixLayoutTrainingOptimalNV, gl_ComponentTypeFloat16NV);
}
