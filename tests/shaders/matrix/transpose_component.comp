// TransposeComponent: the only rule that this program breaks (decision 9).
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
#define MAT(T, R, C, U) coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUse##U>

void main() {
  MAT(float, 16, 16, Accumulator) m = MAT(float, 16, 16, Accumulator)(0.0);
  MAT(float16_t, 16, 16, B) b;
  coopMatTransposeNV(b, m);
}
