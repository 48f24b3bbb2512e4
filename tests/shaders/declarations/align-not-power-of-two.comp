#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_buffer_reference : require
layout(binding = 0, align = 3) buffer B { layout(align = 5) int x; } b;
layout(buffer_reference, buffer_reference_align = 12) buffer R { int x; };
void main() {}
