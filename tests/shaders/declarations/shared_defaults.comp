#version 460
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
layout(binding = 1) shared;
layout(location = 1) shared;
layout(scalar, column_major) shared;
layout(std140) shared;
shared B { vec3 a; float b; } b;
void main() { b.b = 1; }
