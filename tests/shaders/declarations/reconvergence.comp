// CHECK-SPIRV
// The attributes of the entry point become execution modes.
#version 460
#extension GL_EXT_maximal_reconvergence : require
#extension GL_EXT_subgroup_uniform_control_flow : require
layout(local_size_x = 1) in;
void main() [[maximally_reconverges, subgroup_uniform_control_flow]] {}
