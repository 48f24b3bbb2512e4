#version 450
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  x[0] = subgroupQuadBroadcast(x[1], 4u);
}
