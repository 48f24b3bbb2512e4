// CHECK-SPIRV
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
// A linked list through buffer references, forward declared; alignment; an instance beside the type.
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node {
  int value;
  Node next;
};
layout(buffer_reference, buffer_reference_align = 4) readonly buffer Words { uint w[]; };
layout(std430, binding = 0) buffer Root { Node first; Words words; int result; };
Node skip(Node n, int count) {
  for (int i = 0; i < count; ++i) n = n.next;
  return n;
}
void main() {
  Node n = skip(first, 3);
  n.next.value = int(words.w[2]);
  result = n.next.next.value + skip(n, 1).value;
}
