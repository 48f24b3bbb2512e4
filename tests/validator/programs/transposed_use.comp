// A conversion transposes a matrix A to an accumulator.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 8, gl_MatrixUseA> a = coopmat<float, gl_ScopeSubgroup, 16, 8, gl_MatrixUseA>(0.0);
  coopmat<float, gl_ScopeSubgroup, 8, 16, gl_MatrixUseAccumulator> m;
  coopMatTransposeEXT(m, a);
}
