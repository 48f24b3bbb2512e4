// Vectors whose length is a specialization constant are made of components whose number is known.
#version 460
#extension GL_EXT_long_vector : require
#extension GL_NV_cooperative_vector : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint N = 5;
layout(set = 0, binding = 0) buffer B { float x[]; };
void main() {
  vector<float, 5> five = vector<float, 5>(x[0]);
  coopvecNV<float, 3> three = coopvecNV<float, 3>(x[0]);
  vector<float, N> a = vector<float, N>(five);
  vector<float, N> b = vector<float, N>(x[0], vec4(x[1]));
  vector<float, N> c = vector<float, N>(vec4(x[1]), vec4(x[2]));
  vector<float, N> d = vector<float, N>(a, x[0]);
  coopvecNV<float, N> e = coopvecNV<float, N>(three, x[0], x[1]);
  coopvecNV<float, N> f = coopvecNV<float, N>(e, x[0]);
  x[0] = a[0] + b[0] + c[0] + d[0] + e[0] + f[0];
}
