#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_shared_memory_block : require
shared B { int x; } b[2];
void main() {}
