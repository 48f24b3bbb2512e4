#version 460
#extension GL_EXT_long_vector : require
// Long vectors: shapes that differ, and operations that they do not have.
layout(local_size_x = 1) in;
layout(constant_id = 0) const int N = 8;
void main() {
  vector<float, 8> a = vector<float, 8>(1.0);
  vector<float, 6> b = vector<float, 6>(1.0);
  vector<float, N> n = vector<float, N>(1.0);
  a = a + b;
  a = n;
  a.x = 1.0;
  bool less = a < a;
  n = vector<float, N>(1.0, 2.0);
  a = vector<float, 8>(1.0, 2.0);
  a[8] = 1.0;
}
