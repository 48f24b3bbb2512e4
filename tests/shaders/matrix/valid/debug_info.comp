// -g: cooperative types, vectors of any length and floats of other encodings are described by NonSemantic.Shader.DebugInfo.101.
// RUN: coopc -g --target-env=vulkan1.3 %s
// CHECK-SPIRV
// VALIDATE: newest the linked release does not know bfloat16
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_vector : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint ROWS = 16;
layout(binding = 0) buffer Data { float x[]; } data;
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 8, gl_MatrixUseA> a;
  coopmat<float, gl_ScopeSubgroup, ROWS, 8, gl_MatrixUseAccumulator> sum;
  coopvecNV<float, 5> vector = coopvecNV<float, 5>(data.x[0]);
  bfloat16_t number = bfloat16_t(data.x[1]);
  bf16vec2 pair = bf16vec2(number);
  float plain = float(pair.x) + vector[2];
  data.x[0] = plain;
}
