// GL_QCOM_cooperative_matrix_conversion: each function is one instruction, whose result is stored to the last argument.
// CHECK-SPIRV
// VALIDATE: newest the linked SPIRV-Tools does not know SPV_QCOM_cooperative_matrix_conversion
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_QCOM_cooperative_matrix_conversion : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint32_t words[32]; } data;
layout(constant_id = 0) const uint ROWS = 64;
void main() {
  uint32_t words[32] = data.words;
  float16_t halves[64];
  bitcastQCOM(words, halves);
  uint32_t part[8];
  extractSubArrayQCOM(words, int(words[0]), part);
  coopmat<float16_t, gl_ScopeSubgroup, ROWS, 16, gl_MatrixUseA> a;
  vectorToCoopmatQCOM(part, a);
  coopmat<int8_t, gl_ScopeSubgroup, 32, 16, gl_MatrixUseB> b;
  int8_t bytes[32];
  vectorToCoopmatQCOM(part, b);
  coopmatToVectorQCOM(b, bytes);
  coopmat<float, gl_ScopeSubgroup, 64, 32, gl_MatrixUseAccumulator> c =
      coopmat<float, gl_ScopeSubgroup, 64, 32, gl_MatrixUseAccumulator>(0.0);
  coopmatToVectorQCOM(c, data.words);
  coopmatToVectorQCOM(a, part);
  data.words[part[0]] = uint(bytes[3]) + uint(halves[5]);
}
