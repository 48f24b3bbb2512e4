// TangledInCallback: parts of barriers are control barriers.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_split_barrier : require
layout(local_size_x = 32) in;
float arrive(const in float a, const in float b) {
  controlBarrierArrive();
  return a + b;
}
float wait(const in uint32_t row, const in uint32_t column, const in float x) {
  controlBarrierWait(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire);
  return x;
}
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  coopMatReduceEXT(m, m, gl_CooperativeMatrixReduceRowEXT, arrive);
  coopMatPerElementEXT(m, m, wait);
}
