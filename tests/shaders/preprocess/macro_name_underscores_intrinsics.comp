// The headers of GL_EXT_spirv_intrinsics define such names (3.3 of its text).
#version 450
#define before__ 1
#extension GL_EXT_spirv_intrinsics : require
#define __behind 1
#undef __behind
layout(local_size_x = 1) in;
void main() {}
