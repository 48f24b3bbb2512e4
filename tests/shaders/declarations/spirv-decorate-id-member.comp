#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
float i;
struct S { spirv_decorate_id(5634, 1) float a; spirv_decorate(0) float b; };
layout(binding = 0) buffer B { spirv_decorate_id(5634, 1) float c; };
void main() {}
