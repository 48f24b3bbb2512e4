#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : warn
void main() {
  float16_t x = float16_t(1.0);
}
