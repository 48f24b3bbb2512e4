#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
uint k;
void main() {
  tensorLayoutNV<0> a;
  tensorLayoutNV<6> b;
  tensorLayoutNV<5> c;
  tensorLayoutNV<k> d;
  tensorLayoutNV<2, k> e;
  tensorLayoutNV<2, 5> f;
  tensorViewNV<0> g;
  tensorViewNV<6> h;
  tensorViewNV<5> i;
  tensorViewNV<k> j;
}
