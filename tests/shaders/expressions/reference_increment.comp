#version 460
#extension GL_EXT_buffer_reference2 : require
// GL_EXT_buffer_reference2 has `+` and `+=`, but not `++` and `--`.
layout(local_size_x = 1) in;
layout(buffer_reference, std430) buffer R { uint a; };
layout(push_constant) uniform P { R p; };
void main() {
  R q = p;
  q += 1;
  q++;
  --q;
}
