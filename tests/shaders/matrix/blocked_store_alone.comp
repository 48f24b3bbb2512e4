// CHECK-SPIRV
// A blocked layout is declared for a matrix that is only stored.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_ARM_cooperative_matrix_layouts : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer D { float x[]; };
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> c = coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(1);
  coopMatStore(c, x, 0, 1, gl_CooperativeMatrixLayoutRowBlockedInterleavedARM);
}
