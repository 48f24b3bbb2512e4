// Mirror-repeat in a dimension of one element (decision 2).
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
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeMirrorRepeatNV> t = createTensorLayoutNV(2, gl_CooperativeMatrixClampModeMirrorRepeatNV);
  t = setTensorLayoutDimensionNV(t, 1, 40);
  t = sliceTensorLayoutNV(t, -5, 16, 3, 16);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m = coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(float16_t(1));
  coopMatLoadTensorNV(m, source.x, 0, t);
  coopMatStore(m, result.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
