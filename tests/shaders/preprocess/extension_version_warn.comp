// `warn` turns an extension on as `enable` does, also one that is written for a newer version (decision 70).
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
#version 440
#extension GL_KHR_cooperative_matrix : warn
#extension GL_EXT_ray_query : warn
layout(local_size_x = 32) in;
void main() {}
