// PushConstantBank, PushConstantOffset, LayoutPlacement, LayoutValueRange: banks and offsets where they do not belong.
#version 460
#extension GL_NV_push_constant_bank : require
layout(local_size_x = 1) in;
layout(bank = 4, binding = 0) uniform U { vec4 a; };
layout(member_offset = 16, binding = 1) buffer S { vec4 b; };
layout(push_constant, bank = -1) uniform N { vec4 c; };
layout(push_constant, member_offset = 8) uniform O { vec4 d; };
layout(push_constant, member_offset = 12) uniform V { vec2 v; };
layout(push_constant, member_offset = 4) uniform F { float f; vec4 g; };
layout(bank = 1) shared float s;
layout(push_constant) uniform M { layout(bank = 1) vec4 e; };
void main() {}
