// -std= overrides the shader's #version.
// RUN: coopc --target-env=vulkan1.3 -std=460 %s
#version 450
layout(local_size_x = 1) in;
void main() {}
