// SPV_NV_cluster_acceleration_structure, Dependencies: SPIR-V 1.4.
// RUN: coopc --target-env=vulkan1.1 %s
#version 460
#extension GL_EXT_ray_query : require
#extension GL_NV_cluster_acceleration_structure : require
layout(binding = 0) buffer Results { int r; };
void main() {
  rayQueryEXT query;
  r = rayQueryGetIntersectionClusterIdNV(query, true);
}
