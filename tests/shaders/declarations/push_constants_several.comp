// GL_NV_push_constant_bank: two blocks without qualifiers need the capability as well.
// VALIDATE: newest the linked SPIRV-Tools does not know SPV_NV_push_constant_bank
// CHECK-SPIRV
#version 460
#extension GL_NV_push_constant_bank : require
layout(local_size_x = 1) in;
layout(push_constant) uniform A { layout(offset = 0) vec4 a; };
layout(push_constant) uniform B { layout(offset = 16) vec4 b; };
layout(binding = 0) buffer Out { vec4 x; };
void main() { x = a + b; }
