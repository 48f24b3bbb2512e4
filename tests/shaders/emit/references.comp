// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;

layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node {
  Node next;
  vec3 position;
  float weights[4];
  layout(row_major) mat3x2 m;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) restrict buffer Ints { int x; };
layout(push_constant) uniform P { Node head; Ints ints; uint64_t address; uvec2 pair; };

Node advance(Node n, Node m) { return n.next.next; }

void main() {
  Node n = head;
  n.position = n.next.position;
  n.position.y = n.weights[2];
  n.weights[1] = float(ints[3].x) + float((ints + 1).x);
  n.m[1].y = 2.0;
  n.m[1] = vec2(1.0);
  Ints raw = Ints(address);
  uint64_t back = uint64_t(n) + uint64_t(ints - raw);
  Node from = Node(pair);
  uvec2 to = uvec2(from);
  raw += 2;
  Node list[2];
  list[0] = advance(n, from);
  list[1] = Node(back + to.x + raw.x);
  list[ints.x].next = list[0];
}
