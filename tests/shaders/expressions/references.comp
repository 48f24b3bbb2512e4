// RUN: coopc --target-env=vulkan1.3 -Wall %s
#version 450
// Buffer references: operations that GL_EXT_buffer_reference alone lacks, and those that no extension has.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430) buffer Node { int value; Node next; };
layout(buffer_reference, std430) readonly buffer Fixed { int value; };
layout(buffer_reference, std430) writeonly buffer Sink { int value; };
layout(set = 0, binding = 0) buffer Data { Node node; Fixed fix; Sink sink; uvec2 address; uint64_t a; } data;
struct Holder { Node n; };
void main() {
  Node n = data.node;
  Node m = n + 1;
  n = n[1];
  n += 1;
  int64_t distance = n - m;
  bool same = n == m;
  n = -n;
  n = n * 2;
  n = Node(data.address);
  uvec2 u = uvec2(n);
  n = Node(1.5);
  n = Node(data.a, 1);
  float f = float(n);
  data.fix.value = 1;
  int r = data.sink.value;
  n = data.fix;
  Holder one, two;
  bool equal = one == two;
}
