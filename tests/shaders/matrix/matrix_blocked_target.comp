// Blocked layouts need SPIR-V 1.6, even if the names come with GL_KHR_cooperative_matrix.
// RUN: coopc --target-env=vulkan1.1 %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
  coopMatLoad(a, data.x, 0, 1, gl_CooperativeMatrixLayoutRowBlockedInterleavedARM);
}
