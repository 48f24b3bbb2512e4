// A component type whose extension is not enabled is reported with the extension, once.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
  coopmat<int8_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> b;
  coopmat<bfloat16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> c;
  a = coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(0);
  float x = float16_t;
}
