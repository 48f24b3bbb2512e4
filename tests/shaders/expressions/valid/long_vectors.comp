// VALIDATE: newest the linked SPIRV-Tools does not know SPV_EXT_long_vector
// CHECK-SPIRV
#version 460
#extension GL_EXT_long_vector : require
// Operators, constructors, indexing and lengths of long vectors.
layout(local_size_x = 1) in;
layout(constant_id = 0) const int N = 8;
layout(set = 0, binding = 0, std430) buffer Data { vector<float, 8> v; float f; int i; vec4 a; } b;
void main() {
  vector<float, 8> x = b.v;
  x = x * 2 + b.v;
  x = -x / b.f;
  x += b.v;
  x[b.i] = x[3];
  vector<float, 8> y = vector<float, 8>(b.a, b.a);
  vector<int, 8> z = vector<int, 8>(y);
  z = z << 1 | z;
  vector<float, 8> s = vector<float, 8>(b.i);
  b.v = x + y + s + vector<float, 8>(z);
  b.i = x.length() + (x == y ? 1 : 0);
  b.a = vec4(x);
  vector<float, N> w = vector<float, N>(b.f);
  w *= w;
  b.f = w[0];
}
