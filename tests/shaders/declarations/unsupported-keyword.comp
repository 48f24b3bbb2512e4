#version 450
layout(local_size_x = 1) in;
#extension GL_NV_cooperative_matrix2 : require
function a;
void main() {}
