// The preprocessor's good cases, checked by the shader's own values.
// CHECK-SPIRV
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#define CAT(a, b) a ## b
#define XCAT(a, b) CAT(a, b)
#define COUNT 4
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SELF SELF + OTHER
#define EMPTY
#if !defined(VULKAN) || VULKAN != 100 || __VERSION__ != 450 || defined GL_ES || !GL_core_profile
#error predefined macros
#endif
#if (COUNT << 2 | 1) != 17 || -1 >> 1 != -1 || 18446744073709551615u < 0 || ~0 != -1
#error arithmetic
#endif
layout(local_size_x = XCAT(COUNT, EMPTY)) in;
layout(set = 0, binding = 0) buffer Buf { uint v\
alues[]; };
void main() {
  const int OTHER = 1;
#undef SELF
  const int SELF = 2;
#define SELF SELF + OTHER
  values[0] = MAX(MAX(1u, 2u), MAX(COUNT, 3u));
  values[1] = uint(SELF);
  values[2] = uint(0x7FFFs) + uint(5L) + uint(1.5hf) + uint(1e1) + 0777u;
  values[__LINE__ - 25] = 1u; /* a
  comment */ values[4] = XCAT(0x1, fu);
}
