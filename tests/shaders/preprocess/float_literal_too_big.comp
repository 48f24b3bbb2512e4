// RUN: coopc --target-env=vulkan1.3 -Wall %s
// Becomes infinity (4.1.4).
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float r; };
void main() {
  r = 1e50;
}
