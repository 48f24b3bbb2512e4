// Compound assignments of references: only + and - of an integer.
#version 460
#extension GL_EXT_buffer_reference2 : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430) buffer R { uint a; };
layout(push_constant) uniform P { R p; };
void main() {
  R r = p;
  int i = 1;
  float f = 1;
  r += r;
  r *= 2;
  i += r;
  f -= r;
  r /= i;
  r -= f;
  r += i;
  r -= 3u;
}
