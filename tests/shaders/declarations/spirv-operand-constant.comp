#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
int i;
spirv_execution_mode_id(38, 1, i, 1);
spirv_type(id = 28, float, i) a;
void main() {}
