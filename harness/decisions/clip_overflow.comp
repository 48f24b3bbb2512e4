// Clip offset plus span above 2^32 (decision 4).
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) readonly buffer Input { float16_t x[]; } source;
layout(set = 0, binding = 1, std430) buffer Output { float16_t x[]; } result;
void main() {
  tensorLayoutNV<2> t = setTensorLayoutDimensionNV(createTensorLayoutNV(2), 16, 16);
  tensorViewNV<2> v = setTensorViewClipNV(createTensorViewNV(2), 3, 0xFFFFFFFFu, 2, 0xFFFFFFFFu);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m = coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(float16_t(1));
  coopMatLoadTensorNV(m, source.x, 0, t, v);
  coopMatStore(m, result.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
