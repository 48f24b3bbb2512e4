#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
spirv_decorate(-1) float a;
spirv_instruction(capabilities = [-2], id = 81) float f(vec2 a, spirv_literal int b);
void main() {}
