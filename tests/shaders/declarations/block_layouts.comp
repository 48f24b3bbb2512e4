// CHECK-SPIRV
#version 450
#extension GL_EXT_scalar_block_layout : require
// The same members under each packing: offsets and strides by the standard's rules.
layout(local_size_x = 1) in;
struct Inner { vec3 a; float b; vec2 c[3]; };
layout(std140, binding = 0) uniform U {
  float f;
  vec3 v;
  float tail;
  mat3 m;
  layout(row_major) mat2x3 r;
  float list[3];
  Inner inner;
  vec2 last;
} u;
layout(std430, binding = 1) buffer S {
  float f;
  vec3 v;
  float tail;
  mat3 m;
  layout(row_major) mat2x3 r;
  float list[3];
  Inner inner;
  vec2 last;
  Inner rest[];
} s;
layout(scalar, binding = 2) buffer C {
  float f;
  vec3 v;
  float tail;
  mat3 m;
  layout(row_major) mat2x3 r;
  float list[3];
  Inner inner;
  vec2 last;
  vec3 rest[];
} c;
layout(push_constant) uniform P {
  layout(offset = 16) float f;
  layout(align = 32) vec2 v;
  float g;
} p;
layout(row_major) buffer;
layout(binding = 3) buffer D {
  mat4x2 a;
  layout(column_major) mat4x2 b;
  layout(offset = 128) double d;
  bool flag;
  int neg;
} d;
void main() {
  s.f = u.f + c.f + p.g + u.last.x + c.rest[1].y + s.rest[2].b;
  d.neg = 1;
}
