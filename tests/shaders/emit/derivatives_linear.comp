// CHECK-SPIRV
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 3, local_size_y = 4, derivative_group_linearNV) in;
layout(binding = 0) buffer B { vec4 a; };
void main() { a = dFdx(a); }
