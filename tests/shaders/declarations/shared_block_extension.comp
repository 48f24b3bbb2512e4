// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.1 -DENABLED %s
#version 460
#ifdef ENABLED
#extension GL_EXT_shared_memory_block : require
#endif
layout(local_size_x = 1) in;
shared B { int a; } b;
void main() { b.a = 1; }
