#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
spirv_instruction(id = 136) int f(int a, int b) { return a; }
void main() {}
