// The stage by #pragma.
// RUN: coopc --target-env=vulkan1.3 preprocess/include/stage_compute.glsl
#version 450
layout(local_size_x = 1) in;
void main() {}
