// GL_AMD_shader_trinary_minmax.
// RUN: coopc --target-env=vulkan1.1 %s
// RUN: coopc --target-env=vulkan1.1 -O %s
// CHECK-SPIRV
#version 450
#extension GL_AMD_shader_trinary_minmax : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { vec4 f; ivec3 i; uvec2 u; f16vec2 h; i16vec2 s; uint16_t w; float x; };
void main() {
  f = min3(f, f + 1, f * 2); f = max3(f, f + 1, f * 2); f = mid3(f, f + 1, f * 2); x = mid3(x, 1, 2);
  i = min3(i, i + 1, i * 2); i = max3(i, i + 1, i * 2); i = mid3(i, i + 1, i * 2);
  u = min3(u, u + 1, u * 2); u = max3(u, u + 1, u * 2); u = mid3(u, u + 1, u * 2);
  h = min3(h, h, h); s = max3(s, s, s); w = mid3(w, w, w);
}
