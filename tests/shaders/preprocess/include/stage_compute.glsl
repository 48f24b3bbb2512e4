#version 450
#pragma shader_stage(compute)
layout(local_size_x = 1) in;
void main() {}
