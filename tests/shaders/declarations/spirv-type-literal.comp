#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
layout(constant_id = 0) const int n = 4;
spirv_type(id = 28, float, n) a;
spirv_type(id = 28, float, spirv_id n) fine;
void main() {}
