#version 460
uniform gl_PerVertex { vec4 gl_Position; };
buffer gl_PerVertex { vec4 gl_Position; } b;
in gl_PerVertex { vec4 gl_Position; } i;
void main() {}
