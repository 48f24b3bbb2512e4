#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
void main() { float a = spirv_decorate(0)(1.0, 2.0); }
