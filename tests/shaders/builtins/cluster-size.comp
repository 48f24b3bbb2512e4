#version 450
// Cluster sizes are powers of two.
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_rotate : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  x[0] = subgroupClusteredAdd(x[1], 3u);
  x[1] = subgroupClusteredRotate(x[1], 1u, 0u);
}
