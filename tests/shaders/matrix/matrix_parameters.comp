#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
int k;
void main() {
  coopmat<float, k, 16, 16, 0> a;
  coopmat<float, 3, k, 16, 0> b;
  coopmat<float, 3, 16, k, 0> c;
  coopmat<float, 3, 16, 16, k> d;
  coopmat<float, 3, 16, 16, 3> e;
  coopmat<float, 3, 16, 16, -1> f;
  coopmat<k, 3, 16, 16, 0> g;
  coopmat<float, 3, 16, 16> h;
}
