// CHECK-SPIRV
#version 460
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// Buffer references: conversions, arithmetic in elements, members through them.
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node { vec3 value; Node next; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint word; };
layout(set = 0, binding = 0, std430) buffer Data { Node node; uvec2 pair; uint64_t address; int n; } b;
void main() {
  Node n = b.node;
  n = n + 1;
  n = b.n + n;
  n = n - b.n;
  n += 2;
  n = n[b.n];
  b.address = uint64_t(n - b.node);
  b.node.next.next.value.y = n.value.x;
  Words w = Words(n);
  w[3].word = w.word;
  b.pair = uvec2(w);
  w = Words(b.pair);
  w = Words(b.address);
  b.address = uint64_t(w);
  b.node = b.n > 0 ? n : b.node;
}
