// CHECK-SPIRV
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -O %s
// Aligned is never less than the largest scalar of an access, even if buffer_reference_align is (decision 56).
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
struct Pair { uint a; uint64_t b; };
layout(buffer_reference) buffer Node;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Node {
  uint64_t x;
  uvec4 y;
  Pair pair;
  Node next;
  double d[];
};
layout(buffer_reference, scalar, buffer_reference_align = 1) buffer Small {
  uint x;
  f16vec4 h;
  uint8_t bytes[];
};
layout(push_constant) uniform Push { Node node; Small small; };
void main() {
  node.x = 1ul;
  node.y = uvec4(2);
  node.d[1] = node.d[0];
  node.pair.b = 3ul;
  Pair p = node.pair;
  p.a = 1;
  node.next.pair = p;
  small.x = 3;
  small.h.y = small.h.x;
  small.bytes[1] = small.bytes[0];
}
