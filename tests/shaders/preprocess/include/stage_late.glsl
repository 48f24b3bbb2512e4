#version 450
int x;
#pragma shader_stage(compute)
void main() {}
