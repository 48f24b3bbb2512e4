// Errors about type parameters cite the text of the type's own extension.
#version 460
#extension GL_EXT_long_vector : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_NV_cooperative_vector : require
#extension GL_NV_cooperative_matrix : require
layout(local_size_x = 32) in;
void main() {
  int n = 3;
  vector<float> a;
  vector<5, float> b;
  vector<vec2, 5> c;
  vector<float, n> d;
  vector<float, 2 + 3> e;
  vector f;
  coopvecNV<bool, 8> g;
  coopvecNV<float, 2 + 3> h;
  tensorLayoutNV<float> i;
  tensorViewNV<2, false, 0> j;
  fcoopmatNV<16, 3, 8> k;
  coopmat<float, 3, 16, 16> l;
}
