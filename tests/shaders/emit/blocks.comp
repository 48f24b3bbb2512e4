// CHECK-SPIRV
#version 450
#extension GL_EXT_scalar_block_layout : enable
layout(local_size_x = 1) in;

struct Inner { vec3 a; float b; bool on; mat3x2 m; };

layout(std140, set = 1, binding = 0) uniform U {
  layout(row_major) mat4x3 rm;
  mat2 cm;
  Inner inner;
  float list[3];
} u;
layout(std430, set = 1, binding = 1) buffer S {
  Inner inner[2];
  bvec3 flags;
  layout(offset = 256) uint tail;
  vec2 rest[];
} s;
layout(scalar, set = 1, binding = 2) readonly buffer C {
  vec3 packed[5];
  float x;
} c[3];
layout(push_constant) uniform P { layout(offset = 16) uvec4 p; int q; };
layout(set = 2, binding = 3) coherent restrict buffer W { writeonly uint w; volatile int v; };

shared Inner sharedInner[2];
Inner privateInner;

void main() {
  privateInner = u.inner;
  s.inner[1] = privateInner;
  sharedInner[p.x & 1u] = s.inner[0];
  s.flags = bvec3(s.flags.xy, true);
  s.flags.y = privateInner.on;
  s.tail = uint(s.rest.length()) + p.y + uint(q);
  s.rest[s.tail].y = u.rm[1][2] + u.cm[0].x + u.list[2];
  s.rest[0] = u.rm[q].xy;
  s.rest[1] = c[1].packed[3].zx * c[2].x;
  s.inner[0].m = sharedInner[0].m;
  s.inner[0].m[1] = vec2(1.0);
  s.rest[2] = vec2(s.inner[0].a.z, privateInner.b);
  w = uint(v);
}
