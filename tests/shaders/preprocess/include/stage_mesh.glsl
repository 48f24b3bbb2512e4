#version 450
#pragma shader_stage(mesh)
layout(local_size_x = 1) in;
void main() {}
