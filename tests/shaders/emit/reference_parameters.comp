// Parameters that are physical pointers: pointers to values are Aliased or Restrict, pointers to pointers AliasedPointer, and
// arrays of pointers are passed by pointer (SPV_KHR_physical_storage_buffer, 2.16.1).
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430) buffer Numbers { float x[4]; };
layout(push_constant) uniform Push { Numbers n[3]; } push;
struct Holder { Numbers one; Numbers two[2]; };

float value(const in Numbers n, const in restrict Numbers r) { return n.x[0] + r.x[1]; }
void copied(Numbers n, restrict Numbers r) { n = r; n.x[0] = 1.0; }
void changed(inout Numbers n, out Numbers o) { o = n; n = push.n[1]; }
void arrays(Numbers list[3], const in Numbers more[2], inout Numbers last[2]) {
  list[0] = more[1];
  last[0] = list[0];
  list[0].x[2] = list[2].x[1] + more[0].x[0];
}
float held(Holder h) { return h.one.x[0] + h.two[1].x[1]; }

void main() {
  Holder h;
  h.one = push.n[0];
  h.two[0] = push.n[1];
  h.two[1] = push.n[2];
  Numbers o;
  copied(h.one, h.two[0]);
  changed(h.one, o);
  arrays(push.n, h.two, h.two);
  o.x[3] = value(h.one, o) + held(h);
}
