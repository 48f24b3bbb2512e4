#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : warn
#extension GL_KHR_cooperative_matrix : warn
void main() {
  float16_t x = float16_t(1.0);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;
}
