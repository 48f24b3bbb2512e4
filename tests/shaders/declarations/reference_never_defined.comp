// A buffer reference that is declared and never defined, in a block, a parameter and a local variable, as in a shader of
// the validation layers (decision 71).
// RUN: coopc --target-env=vulkan1.2 %s
// RUN: coopc --target-env=vulkan1.2 -O -Wall %s
// RUN: coopc --target-env=vulkan1.2 -fstrict %s
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Unused;
layout(buffer_reference) buffer Node;
layout(binding = 0) buffer D { Node first, second; };
Node other(Node n) { return n; }
void main() {
  Node n = other(first);
  second = n;
}
