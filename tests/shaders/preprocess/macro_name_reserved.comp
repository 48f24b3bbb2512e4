// 3.3.
#version 450
#define GL_mine 1
#undef GL_KHR_cooperative_matrix
layout(local_size_x = 1) in;
void main() {}
