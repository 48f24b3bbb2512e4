// Decision 16.
// RUN: coopc --target-env=vulkan1.2 %s
// RUN: coopc --target-env=vulkan1.3 --target-spv=spv1.5 %s
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_NV_cooperative_matrix2 : enable
layout(local_size_x = 1) in;
void main() {}
