#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
spirv_decorate(1) float a;
void main() {}
