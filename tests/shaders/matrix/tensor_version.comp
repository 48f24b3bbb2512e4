// Samples of Arm enable GL_ARM_tensors in `#version 450` (decision 70).
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
// RUN: coopc --target-env=vulkan1.3 -fstrict %s
#version 450
#extension GL_ARM_tensors : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform tensorARM<int, 2> t;
void main() {}
