// Not for SPIR-V (3.3).
#version 450 compatibility
layout(local_size_x = 1) in;
void main() {}
