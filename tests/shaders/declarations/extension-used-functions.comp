// `warn` (3.3): functions and variables of the extension draw warnings, unless another extension brings them too.
#version 450
#extension GL_KHR_shader_subgroup_vote : warn
#extension GL_KHR_shader_subgroup_basic : warn
#extension GL_ARB_shader_clock : enable
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uint u; uvec2 t; };
void main() {
  u = subgroupAll(u > 2) ? gl_SubgroupSize : 1;
  if (subgroupElect()) t = clock2x32ARB();
}
