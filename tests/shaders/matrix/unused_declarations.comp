// -O removes capabilities with their last use: of dot products of bfloat16, and of conversions that change a matrix's use.
// RUN: coopc --target-env=vulkan1.3 -O %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_bfloat16 : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Small { bfloat16_t small; };
layout(binding = 1) buffer Numbers { float16_t numbers[]; };
void main() {
  bf16vec2 v = bf16vec2(small);
  bfloat16_t unusedProduct = dot(v, v);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sum =
      coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(1.0);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> unusedTurned =
      coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(sum);
  coopMatStore(sum, numbers, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  small = v.y;
}
