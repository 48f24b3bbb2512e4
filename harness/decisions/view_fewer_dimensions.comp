// A view of two dimensions over a layout of three, without dimensions of its own (decision 10).
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
  tensorLayoutNV<3> t = setTensorLayoutDimensionNV(createTensorLayoutNV(3), 8, 16, 20);
  t = sliceTensorLayoutNV(t, 1, 4, 2, 4, 3, 16);
  tensorViewNV<2, false, 1, 0> v = createTensorViewNV(2, false, 1, 0);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m = coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(float16_t(1));
  coopMatLoadTensorNV(m, source.x, 0, t, v);
  coopMatStore(m, result.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
