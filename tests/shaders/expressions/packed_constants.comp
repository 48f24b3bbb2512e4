// CHECK-SPIRV
// Packing and unpacking in constant expressions, up to 64 bits: sizes of arrays depend on the results.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
const uint both = pack32(u16vec2(3, 1));
const uint64_t four = pack64(u16vec4(1, 2, 3, 4));
const uint64_t two = pack64(u32vec2(5, 6));
const u16vec2 halves = unpack16(0x00070009u);
const u8vec4 bytes = unpack8(0x04030201u);
const u32vec2 words = unpack32(0x0000000B0000000Cul);
layout(set = 0, binding = 0) buffer B { uint a[both - 0x10000u]; uint b[halves.x], c[halves.y], d[bytes.w]; uint e[words.y], f[words.x]; uint64_t g, h; };
void main() {
  g = four;
  h = two;
  a[0] = b[0] + c[0] + d[0] + e[0] + f[0];
}
