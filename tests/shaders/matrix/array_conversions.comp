// The rules of GL_QCOM_cooperative_matrix_conversion for arrays and matrices.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_QCOM_cooperative_matrix_conversion : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Data { uint32_t words[8]; uint32_t more[]; } data;
layout(constant_id = 0) const uint SIZE = 16;
#define MAT(T, R, C, U) coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUse##U>
void main() {
  uint32_t words[8] = data.words;
  float16_t halves[8];
  float four[4];
  uvec2 pairs[4];
  MAT(float16_t, 64, 16, A) a;
  MAT(uint8_t, 32, 16, B) b;
  MAT(int8_t, 64, 32, Accumulator) bytes;
  coopmat<float, gl_ScopeWorkgroup, 64, 8, gl_MatrixUseA> wide;
  bitcastQCOM(words, halves);
  bitcastQCOM(pairs, halves);
  bitcastQCOM(data.more, words);
  bitcastQCOM(words, data.words);
  extractSubArrayQCOM(words, 2, four);
  extractSubArrayQCOM(words, 2.0, words);
  vectorToCoopmatQCOM(four, a);
  vectorToCoopmatQCOM(halves, a);
  vectorToCoopmatQCOM(words, b);
  vectorToCoopmatQCOM(words, bytes);
  coopmatToVectorQCOM(wide, four);
  coopmatToVectorQCOM(words, words);

  MAT(float16_t, 64, 8, A) shortA;
  MAT(float, 16, 64, B) longB;
  MAT(float, 64, SIZE, A) anyA;
  MAT(float, 64, 12, Accumulator) twelve;
  float line[12];
  vectorToCoopmatQCOM(halves, shortA);
  coopmatToVectorQCOM(longB, words);
  vectorToCoopmatQCOM(line, anyA);
  vectorToCoopmatQCOM(uint[4](0, 0, 0, 0), anyA);
  vectorToCoopmatQCOM(line, twelve);
  coopmatToVectorQCOM(twelve, line);
  uint32_t part[4];
  extractSubArrayQCOM(words, 4, part);
  extractSubArrayQCOM(words, 5, part);
  extractSubArrayQCOM(words, -1, part);
  extractSubArrayQCOM(words, int(words[0]), part);
}
