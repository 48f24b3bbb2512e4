#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_buffer_reference : require
layout(buffer_reference) buffer R;
layout(binding = 0) buffer B { R r; } b;
void main() {}
