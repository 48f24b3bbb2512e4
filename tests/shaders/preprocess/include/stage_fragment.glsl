#version 450
#pragma shader_stage(fragment)
layout(local_size_x = 1) in;
void main() {}
