// LongVectorSpecSize: the only rule that this program breaks.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_long_vector : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint N = 5;
layout(set = 0, binding = 0) buffer Data { vector<float, 5> x; vector<float, N> y; } data;
shared vector<float, N> kept;
void main() {
  kept = data.y;
}
