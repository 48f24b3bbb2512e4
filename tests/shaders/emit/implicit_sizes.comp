// CHECK-SPIRV
// Arrays without a size that are not last in a buffer block: the largest constant index gives their size (GLSL 4.60,
// 4.1.9), one element where there is none; offsets follow.
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B {
  float head[];
  float unused[];
  mat2 columns[];
  layout(offset = 128) vec4 tail[];
} b[2];
layout(std140, binding = 2) uniform U {
  float steps[];
  vec4 last[];
};
layout(push_constant) uniform P { uint flags[]; } p;
layout(buffer_reference) buffer R;
layout(buffer_reference, std430) buffer R {
  R next[];
  uint count;
};
layout(binding = 3) buffer S { R start; };
shared uint scratch[];
void main() {
  b[0].head[2] = steps[4] + last[1].x;
  b[1].head[6] = b[0].columns[1][0].y;
  start.next[1].count = p.flags[2];
  scratch[9] = uint(b[0].tail.length());
  uint other[];
  other[3] = scratch[0];
  start.count = other[3];
}
