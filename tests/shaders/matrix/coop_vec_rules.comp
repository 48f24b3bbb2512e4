// The rules of GL_NV_cooperative_vector for types, layouts and alignment.
#version 460
#extension GL_NV_cooperative_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0, std430) buffer B { float16_t h[1024]; } a;
layout(binding = 1, std430) buffer C { vec4 v[8]; uint8_t b[512]; } c;
void main() {
  coopvecNV<float16_t, 8> r = coopvecNV<float16_t, 8>(1.0), x = r;
  coopvecNV<int8_t, 8> bytes;
  coopvecNV<uint32_t, 2> packed;
  coopvecNV<uint32_t, 1> few;
  const int F = gl_ComponentTypeFloat16NV;
  const int P = gl_ComponentTypeSignedInt8PackedNV;
  const int ROW = gl_CooperativeVectorMatrixLayoutRowMajorNV;
  const int BEST = gl_CooperativeVectorMatrixLayoutInferencingOptimalNV;
  coopVecMatMulNV(r, x, F, a.h, 64, F, 8, 8, ROW, false, 16);
  coopVecMatMulNV(r, packed, P, c.b, 0, 3, 8, 8, BEST, true, 1);
  coopVecMatMulNV(bytes, x, F, a.h, 0, F, 8, 8, ROW, false, 16);
  coopVecMatMulNV(r, bytes, F, a.h, 0, F, 8, 8, ROW, false, 16);
  coopVecMatMulNV(r, x, P, c.b, 0, 3, 8, 8, BEST, false, 16);
  coopVecMatMulNV(r, few, P, c.b, 0, 3, 8, 8, BEST, false, 16);
  coopVecMatMulNV(r, x, F, a.h, 0, F, 8, 8, ROW, true, 16);
  coopVecMatMulNV(r, x, F, c.v, 0, F, 8, 8, ROW, false, 16);
  coopVecMatMulAddNV(r, x, F, a.h, 32, F, a.h, 8, F, 8, 8, ROW, false, 24);
  coopVecLoadNV(x, c.v, 8);
  coopVecStoreNV(x, c.v, 16);
  coopVecOuterProductAccumulateNV(x, x, a.h, 0, 0, ROW, F);
  coopVecReduceSumAccumulateNV(x, a.h, 4);
}
