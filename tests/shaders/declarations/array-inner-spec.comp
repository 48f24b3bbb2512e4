// GLSL 4.60, 4.11: in blocks and arrays of resources, only the outermost dimension may be a specialization constant.
// RUN: coopc --target-env=vulkan1.2 %s
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
layout(constant_id = 1) const int N = 2;
const int M = N * 2 + 1;

struct Inner { float a[2][N]; };      // valid by itself
struct Outer { Inner i; float b[3]; };
struct Sized { float a[N]; };

layout(binding = 0) buffer B {
  float good[N][2];
  float first[2][N];
  float middle[2][M][3];
  Inner inner;
  Outer outers[2];
  Sized sized[3];  // laid out by the default size
  float last[][N];
} b;
layout(binding = 1) uniform U { vec4 first[2][N]; vec4 good[N]; } u;
layout(binding = 2) uniform V { vec4[N] first[2]; vec4[2] good[N]; } v;
layout(push_constant) uniform P { float first[2][N]; } p;
layout(buffer_reference) buffer R { float good[N]; float first[][N]; };
layout(binding = 3) buffer D { float x; } blocks[2][N];
layout(binding = 4) uniform sampler2D samplers[2][N];
layout(binding = 5) buffer E { float x; } good[N];

shared float free[2][N];

void main() {
  float local[2][N];
  local[0][0] = 1.0;
  free[1][1] = local[0][0];
}
