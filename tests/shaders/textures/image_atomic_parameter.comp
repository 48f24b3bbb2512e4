// Parameters have no format: images that calls pass need the format that the function's atomics require.
// RUN: coopc --target-env=vulkan1.1 %s
#version 450
layout(set = 0, binding = 0, r32ui) uniform uimage2D counts;
layout(set = 0, binding = 1, rgba8ui) uniform uimage2D colors;
layout(set = 0, binding = 2, r32f) uniform image2D depths;
layout(set = 0, binding = 3, rgba32f) uniform image2D values;
uint add(uimage2D image, ivec2 at) { return imageAtomicAdd(image, at, 1u); }
uint addTwice(uimage2D image) { return add(image, ivec2(0)) + add(image, ivec2(1)); }
float swap(image2D image) { return imageAtomicExchange(image, ivec2(0), 1.0); }
uint load(uimage2D image) { return imageLoad(image, ivec2(0)).x; }
void main() {
  uint sum = addTwice(counts) + load(colors);
  sum += addTwice(colors);
  float old = swap(depths);
  old += swap(values);
}
