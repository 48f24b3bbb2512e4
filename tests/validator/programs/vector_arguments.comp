// Arguments of wrong types in functions of cooperative vectors.
#version 460
#extension GL_NV_cooperative_vector : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
struct Pair { float16_t a, b; };
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
layout(set = 0, binding = 1) buffer Pairs { Pair x[]; } pairs;
layout(set = 0, binding = 2) buffer Words { uint x[]; } words;

void main() {
  coopvecNV<float16_t, 16> v = coopvecNV<float16_t, 16>(1.0);
  coopvecNV<float16_t, 16> r;
  uint size = words.x[0];
  coopVecLoadNV(v, data.x, 16.0);
  coopVecLoadNV(v, pairs.x, 0);
  coopVecStoreNV(float16_t(1.0), data.x, 0);
  coopVecMatMulNV(r, v, gl_ComponentTypeFloat16NV, data.x, 0, gl_ComponentTypeFloat16NV, size, 16, gl_CooperativeVectorMatrixLayoutRowMajorNV, false, 32);
}
