// Compute shaders came with 420 and an extension, for SPIR-V they need 420.
#version 330
layout(local_size_x = 1) in;
void main() {}
