// The layout qualifiers need their extension.
#version 460
layout(local_size_x = 1) in;
layout(push_constant, bank = 1, member_offset = 16) uniform A { vec4 a; };
void main() {}
