// Loads of matrices and vectors read their buffer, accumulation reads and writes it (GLSL 4.60, 4.10).
// RUN: coopc --target-env=vulkan1.3 -Wall %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
#extension GL_NV_cooperative_vector : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) writeonly buffer Data { float16_t x[]; } data;
layout(buffer_reference) writeonly buffer Reference { float16_t x[]; };
layout(push_constant) uniform Push { Reference r; } push;

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m = coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(0.0);
  coopMatLoad(m, data.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(m, push.r.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(m, data.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  tensorLayoutNV<2> t = setTensorLayoutDimensionNV(createTensorLayoutNV(2), 16, 16);
  coopMatLoadTensorNV(m, data.x, 0, t);
  coopMatStoreTensorNV(m, data.x, 0, t);
  coopvecNV<float16_t, 16> v;
  coopVecLoadNV(v, data.x, 0);
  coopVecStoreNV(v, data.x, 0);
  coopVecMatMulNV(v, v, gl_ComponentTypeFloat16NV, data.x, 0, gl_ComponentTypeFloat16NV, 16, 16,
                  gl_CooperativeVectorMatrixLayoutRowMajorNV, false, 32);
  coopVecReduceSumAccumulateNV(v, data.x, 0);
}
