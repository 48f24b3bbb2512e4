// CHECK-SPIRV
// Arithmetic of buffer references: sums with integers on either side, differences, elements, and conversions.
#version 460
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Item { uint value; uint next; };
layout(push_constant) uniform P { Item first; int n; int64_t far; };
layout(binding = 0) buffer B { uint o[]; };
void main() {
  Item i = first + n;
  i = 2 + i;
  i = i - far;
  i += 3;
  i -= n;
  o[0] = i.value + first[n].next + i[1].value;
  o[1] = uint(i - first);
  o[2] = (n > 2 ? i : first).value;
  uvec2 address = uvec2(i);
  o[3] = address.x ^ uvec2(uint64_t(i)).y;
  Item(address).value = Item(uint64_t(first) + 8ul).value;
}
