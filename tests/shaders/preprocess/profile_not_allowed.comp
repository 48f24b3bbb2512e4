// Profiles came with version 150.
// RUN: coopc --target-env=vulkan1.3 %s
#version 140 core
layout(local_size_x = 1) in;
void main() {}
