//! glsl compiles
//! hlsl written
//! msl written
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(binding = 0, std430) buffer O { float16_t h[4]; int8_t b[4]; uint16_t s[]; };
void main() {
  uint i = gl_LocalInvocationIndex & 3u;
  h[i] = h[i] * float16_t(2) + float16_t(b[i]);
  b[i] = int8_t(s[i] >> 3us);
  s[i] ^= uint16_t(i);
}
