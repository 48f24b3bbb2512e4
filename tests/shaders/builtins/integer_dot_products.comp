// CHECK-SPIRV
// Each form of the integer dot products: signs, widths, packed words, saturating sums.
#version 460
#extension GL_EXT_integer_dot_product : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { i8vec4 s; u8vec4 u; i16vec2 ss; u16vec2 us; ivec3 si; uvec3 ui; int ps; uint pu; int r; uint q; };
void main() {
  r += dotEXT(s, s) + dotEXT(s, u) + dotEXT(u, s) + dotEXT(ss, ss) + dotEXT(us, ss) + dotEXT(si, si) + dotEXT(si, ui);
  q += dotEXT(u, u) + dotEXT(us, us) + dotEXT(ui, ui);
  r += dotPacked4x8EXT(ps, ps) + dotPacked4x8EXT(ps, pu) + dotPacked4x8EXT(pu, ps);
  q += dotPacked4x8EXT(pu, pu);
  r = dotAccSatEXT(s, s, r) + dotAccSatEXT(s, u, r) + dotAccSatEXT(u, s, r) + dotAccSatEXT(si, si, r);
  q = dotAccSatEXT(u, u, q) + dotAccSatEXT(ui, ui, q);
  r = dotPacked4x8AccSatEXT(ps, ps, r) + dotPacked4x8AccSatEXT(ps, pu, r) + dotPacked4x8AccSatEXT(pu, ps, r);
  q = dotPacked4x8AccSatEXT(pu, pu, q);
}
