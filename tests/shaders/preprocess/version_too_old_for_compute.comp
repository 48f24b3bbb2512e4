// Compute shaders came with 420 and an extension; SPIR-V needs 420 too.
#version 330
layout(local_size_x = 1) in;
void main() {}
