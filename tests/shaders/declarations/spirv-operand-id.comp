#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
layout(binding = 0) buffer B { int i; } b;
spirv_decorate_id(5634, b.i) float a;
void main() {}
