// GROUPS: 1
// NOT ON: Mesa 25.
// On some processors, that version of lavapipe (with LLVM 15) reads the address 0xFFFFFFFF, whichever compiler made the module.
// One invocation: a CPU driver follows the pointers of a group that has returned, whichever compiler made the module, and they
// may point anywhere.
#version 450
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { uint r[512]; } o;
struct Item { vec3 a; float b; };
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node {
  Node next;
  uint tag;
  vec3 position;
  Item items[2];
  layout(row_major) mat3x2 m;
  uint8_t bytes[8];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Word { uint x; vec3 v; };
layout(push_constant) uniform P { layout(offset = 64) Node head; };
Node step_(Node n, int count) { for (int k = 0; k < count; ++k) n = n.next; return n; }
void set(inout vec2 v, out uint t) { v *= 2.0; t = uint(v.x); }
void main() {
  uint64_t base = uint64_t(head);
  for (int k = 0; k < 4; ++k) {
    Node n = Node(base + uint64_t(k) * 256ul);
    n.next = Node(base + uint64_t((k + 1) & 3) * 256ul);
    n.tag = u[k];
    n.position = vec3(f[k], f[k + 1], f[k + 2]);
    n.items[k & 1] = Item(n.position.zyx, float(k));
    n.items[1 - (k & 1)].a.yz = n.position.xy;
    n.m = mat3x2(f[k]);
    n.m[k % 3][1] = 5.0;
    n.m[1] = n.position.yz;
    n.bytes[k] = uint8_t(k * 3);
    set(n.position.xz, n.next.tag);
  }
  Node third = step_(head, 2);
  third.next.items[0] = head.items[1];
  Word w = Word(base + 1024ul);
  w[3].x = 17u;
  w[1].v = third.position;
  (w + 2).v.y = 3.0;
  Word e = w + 5;
  e -= 1;
  e.x = uint(e - w);
  uvec2 pair = uvec2(e);
  Word same = Word(pair);
  o.r[0] = uint(uint64_t(same) - base) + e.x;
  o.r[1] = third.tag + head.next.next.next.tag;
  o.r[2] = floatBitsToUint(third.m[1].y) ^ floatBitsToUint(third.items[1].a.x);
  Node table[2] = Node[2](head, third);
  table[i[0] & 1].tag = 99u;
  o.r[3] = table[0].tag + uint(table[1].bytes[2]) * 1000u;
  for (uint k = 4u; k < 20u; ++k) o.r[k] = k + w[k & 3u].x;
}
