// Applies to 450 and later.
#version 430
#extension GL_KHR_cooperative_matrix : enable
layout(local_size_x = 1) in;
void main() {}
