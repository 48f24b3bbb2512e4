// CHECK-SPIRV
// Constants of small types without arithmetic: converted from wider ones.
#version 460
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint U = 3;
layout(constant_id = 1) const int I = -3;
layout(constant_id = 2) const float F = 0.5;
layout(constant_id = 3) const bool T = true;
layout(set = 0, binding = 0) buffer B { uint8_t a; int8_t b; uint16_t c; int16_t d; float16_t e; u8vec2 f; i16vec3 g; f16vec2 h; };
void main() {
  a = uint8_t(U);
  b = int8_t(I);
  c = uint16_t(U + 1);
  d = int16_t(-I);
  e = float16_t(F);
  f = u8vec2(uvec2(U, 7));
  g = i16vec3(ivec3(I, 2, I + 1));
  h = f16vec2(vec2(0.25, 0.5));
  a = uint8_t(T);
  f = u8vec2(uvec2(1, 2));
  g = i16vec3(ivec3(-1));
}
