// ExtensionNeeded: the layout qualifiers of GL_EXT_descriptor_heap without it.
#version 460
layout(local_size_x = 1) in;
layout(descriptor_heap, descriptor_stride = 64) uniform U { vec4 a; } u[2];
void main() {}
