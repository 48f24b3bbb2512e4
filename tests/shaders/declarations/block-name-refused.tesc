// A refused block, and then one with the same name.
#version 460
in gl_PerVertex { vec4 gl_Position; } other[];
in gl_PerVertex { vec4 gl_Position; } gl_in[];
layout(vertices = 2) out;
void main() { gl_out[gl_InvocationID].gl_Position = gl_in[0].gl_Position; }
