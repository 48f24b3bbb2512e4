// ReduceSmallFloats: a reduction is not among the instructions that SPV_KHR_bfloat16 lists (decision 37).
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
bfloat16_t first(const in bfloat16_t a, const in bfloat16_t b) { return a; }

void main() {
  coopmat<bfloat16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> a, b;
  coopMatReduceNV(b, a, gl_CooperativeMatrixReduceRowNV, first);
}
