// GL_NV_push_constant_bank: several blocks, in banks and at offsets.
// VALIDATE: newest the linked SPIRV-Tools does not know SPV_NV_push_constant_bank
// CHECK-SPIRV
#version 460
#extension GL_NV_push_constant_bank : require
layout(local_size_x = 1) in;
layout(push_constant) uniform A { vec4 a; } plain;
layout(push_constant, bank = 3) uniform B { vec4 b; } banked;
layout(push_constant, member_offset = 64) uniform C { vec4 c; } moved;
layout(push_constant, bank = 4, member_offset = 128) uniform D {
  vec4 d;
  layout(offset = 32) vec4 e;
} both;
layout(binding = 0) buffer Out { vec4 x; };
void main() { x = plain.a + banked.b + moved.c + both.d + both.e; }
