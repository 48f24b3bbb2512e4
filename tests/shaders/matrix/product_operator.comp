// The operator `*` of two matrices is not their product.
#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 32) in;
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a =
      coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(1.0hf);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> b =
      coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>(1.0hf);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> c = a * b;
}
