#version 460
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_bfloat16 : require
// Blocks, arrays sized by specialization constants, and parts without operators.
layout(local_size_x = 1) in;
layout(constant_id = 0) const int N = 3;
struct Half { float16_t h; };
struct Brain { bfloat16_t b; };
layout(set = 0, binding = 0, std430) buffer Data { int i; Half h[2]; Brain b[2]; } data;
layout(set = 0, binding = 1, std430) buffer Other { int i; } other[2];
shared float tile[N];
shared float next[N];
void main() {
  data = data;
  bool same = other[0] == other[1];
  int i = (data, 1);
  tile = next;
  same = tile == next;
  same = data.h[0] == data.h[1];
  same = data.b[0] != data.b[1];
  data.h[0] = data.h[1];
  tile[0] = next[1];
}
