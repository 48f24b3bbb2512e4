#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
void f(spirv_literal int a) {}
void main() {}
