// `all` means the extensions of this version and profile: for the macros, for the grammar and for names.
#version 430
#extension all : warn
#ifdef GL_EXT_bfloat16
#error "GL_EXT_bfloat16 needs #version 450"
#endif
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  uint bfloat16_t = 3;  // not a type here
  x[0] = bfloat16_t + uint(int16_t(x[1]));
  x[1] = uint(int8_t(x[2]));
}
