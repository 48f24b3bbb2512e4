// RUN: coopc --target-env=vulkan1.3 -DNEGATED %s
// RUN: coopc --target-env=vulkan1.3 -DSHUFFLED %s
// RUN: coopc --target-env=vulkan1.3 -DADDED %s
// RUN: coopc --target-env=vulkan1.3 -DZERO %s
// RUN: coopc --target-env=vulkan1.3 -DCOPIED %s
// RUN: coopc --target-env=vulkan1.3 -DCONVERTED %s
// CHECK-SPIRV
// Operations on small numbers other than loads, stores, copies and conversions need the capability of their arithmetic.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(binding = 0) buffer B { f16vec4 h; i16vec4 s; u8vec4 b; float f; int i; };
void main() {
#if defined(NEGATED)
  s = -s;
#elif defined(SHUFFLED)
  h = h.wzyx;
#elif defined(ADDED)
  b = b + b.x;
#elif defined(ZERO)
  h = f16vec4(0);
#elif defined(COPIED)
  h.x = h.y;
  s.x = s.z;
  b.w = b.z;
#else
  f = float(h.x);
  i = int(s.y) + int(b.z);
#endif
}
