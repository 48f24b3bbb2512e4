// RUN: coopc --target-env=vulkan1.3 -Wall %s
// 3.3.
#version 450
#pragma optimize(maybe)
#pragma debug
layout(local_size_x = 1) in;
void main() {}
