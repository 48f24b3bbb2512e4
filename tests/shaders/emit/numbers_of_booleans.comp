// CHECK-SPIRV
// Booleans become 0 and 1 in each numeric type.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { bool b; bvec2 v; float16_t h; f16vec2 hv; double d; dvec2 dv; float f; int8_t i8; u16vec2 u16; int64_t i64; uint u; };
void main() {
  h = float16_t(b);
  hv = f16vec2(v);
  d = double(b);
  dv = dvec2(v);
  f = float(b);
  i8 = int8_t(b);
  u16 = u16vec2(v);
  i64 = int64_t(b);
  u = uint(b);
}
