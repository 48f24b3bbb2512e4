// MatrixBlockedShape: the only rule that this program breaks; the constants need no extension of their own.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
  coopMatLoad(a, data.x, 0, 4, gl_CooperativeMatrixLayoutRowBlockedInterleavedARM);
  coopMatStore(a, data.x, 0, 4, gl_CooperativeMatrixLayoutColumnBlockedInterleavedARM);
  coopmat<float16_t, gl_ScopeSubgroup, 6, 8, gl_MatrixUseA> few;
  coopMatLoad(few, data.x, 0, 1, gl_CooperativeMatrixLayoutColumnBlockedInterleavedARM);
}
