// Messages show only a limited part of a long chain of members.
#version 460
layout(local_size_x = 1) in;
struct A { int a; };
struct B { A b; };
struct C { B c; };
struct D { C d; };
struct E { D e; };
struct F { E f; };
struct G { F g; };
struct H { G h; };
struct I { H i; };
struct J { I j; };
struct K { J k; };
layout(set = 0, binding = 0) uniform U { K k; E e; } u;
void main() {
  u.e.e.d.c.b.a = 2;
  u.k.k.j.i.h.g.f.e.d.c.b.a = 2;
}
