// RUN: coopc --target-env=vulkan1.3 -Wunused-result %s
#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
// Calls that have no effect besides their result: a layout is not changed in place.
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { float16_t d[]; } b;
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> n;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> a;
  a = coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  tensorLayoutNV<2> t = createTensorLayoutNV(2);
  setTensorLayoutDimensionNV(t, 64, 64);
  t = sliceTensorLayoutNV(t, 0, 16, 0, 16);
  coopMatLoadTensorNV(m, b.d, 0, t);
  coopMatLoad(n, b.d, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatMulAdd(m, n, a);
  coopMatStore(a, b.d, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
