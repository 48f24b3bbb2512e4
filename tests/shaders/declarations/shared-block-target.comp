// RUN: coopc --target-env=vulkan1.1 %s
// RUN: coopc --target-env=vulkan1.2 %s
#version 450
// Blocks in shared memory came with SPIR-V 1.4.
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 1) in;
shared Block { uint x[4]; } s;
void main() { s.x[0] = 1u; }
