// A buffer reference block with an instance name declares a variable too (GL_EXT_buffer_reference, 4.3.9): without a
// binding it may be declared, but not used.
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430) buffer Unused { int a; } unused;
layout(buffer_reference, std430) buffer Used { int a; } used;
layout(binding = 0) buffer Data { Unused u; Used v; };
void main() {
  u.a = 1;
  v.a = used.a;
  used.a = 2;
}
