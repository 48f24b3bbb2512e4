#version 450
#pragma shader_stage(compute)
#extension GL_KHR_shader_subgroup_basic : enable
#pragma shader_stage( compute )
layout(local_size_x = 1) in;
void main() {}
#pragma shader_stage(compute)
