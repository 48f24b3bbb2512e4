// RUN: coopc --target-env=vulkan1.4 %s
// CHECK-SPIRV
// VALIDATE: newest long vectors are younger than the linked SPIRV-Tools
#version 450
// GL_EXT_long_vector: the generic types of chapter 8 stand for vectors of any length.
#extension GL_EXT_long_vector : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { vector<float, 5> a, b; vector<int, 5> n; };
void main() {
  vector<float, 5> c = max(sin(a), min(b, 2.0));
  c = clamp(c, 0.0, 1.0) + mix(a, b, 0.5) + fma(a, b, c);
  n = floatBitsToInt(c);
  a = c * dot(a, b);
}
