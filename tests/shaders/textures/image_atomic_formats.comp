// A function with atomics accepts every image of the format that the atomics need.
// RUN: coopc --target-env=vulkan1.1 %s
#version 450
layout(set = 0, binding = 0, r32ui) uniform uimage2D counts;
layout(set = 0, binding = 1, r32ui) uniform uimage2D others[2];
uint add(uimage2D image) { return imageAtomicAdd(image, ivec2(0), 1u); }
uint addTwice(uimage2D image) { return add(image) + add(image); }
void main() { uint sum = addTwice(counts) + addTwice(others[1]); }
