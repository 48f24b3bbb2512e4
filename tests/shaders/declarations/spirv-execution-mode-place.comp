#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
layout(binding = 0) spirv_execution_mode(4) buffer B { float a; };
void main() { spirv_execution_mode_id(38, 1, 1, 1); }
