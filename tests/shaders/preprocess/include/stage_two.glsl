#version 450
#pragma shader_stage(compute)
void main() {}
#pragma shader_stage(vertex)
