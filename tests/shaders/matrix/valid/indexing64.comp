// GL_EXT_shader_64bit_indexing: offsets of the matrix and vector functions, lengths, the two pragmas.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
// VALIDATE: newest the linked release does not know the extension
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_NV_cooperative_vector : require
#extension GL_EXT_shader_64bit_indexing : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#pragma shader_64bit_indexing
#pragma promote_uint32_indices
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
layout(push_constant) uniform Push { uint64_t at; int64_t from; uint index; } push;
#define MAT coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>

void main() {
  MAT m = MAT(0.0);
  coopMatLoad(m, data.x, push.at, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(m, data.x, push.index, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(m, data.x, push.from, 16, gl_CooperativeMatrixLayoutRowMajor);
  tensorLayoutNV<2> t = setTensorLayoutDimensionNV(createTensorLayoutNV(2), 16, 16);
  coopMatLoadTensorNV(m, data.x, push.at, t);
  coopMatStoreTensorNV(m, data.x, 0x100000000ul, t);
  coopvecNV<float16_t, 16> v;
  coopVecLoadNV(v, data.x, push.at);
  coopVecMatMulAddNV(v, v, gl_ComponentTypeFloat16NV, data.x, push.at, gl_ComponentTypeFloat16NV, data.x, push.at,
                     gl_ComponentTypeFloat16NV, 16, 16, gl_CooperativeVectorMatrixLayoutRowMajorNV, false, 32);
  coopVecReduceSumAccumulateNV(v, data.x, push.at);
  coopVecStoreNV(v, data.x, push.at);
  float list[4];
  const int64_t length = data.x.length64() + list.length64() + m.length64();
  data.x[push.index] = float16_t(length);
  data.x[push.at + 1ul] = data.x[3];
}
