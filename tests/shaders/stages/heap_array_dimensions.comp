// RUN: coopc --target-env=vulkan1.4 %s
// Descriptors in an array of 24 dimensions: the time to lay them out is not exponential in their number.
#version 460
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_structured_descriptor_heap : require
layout(local_size_x=1) in;
resourceheap H { texture2D t[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]; uint z; } h;
layout(binding=0) buffer B { uint x; } b;
void main() { b.x = h.z; }
