// VALIDATE: newest the linked SPIRV-Tools does not know SPV_EXT_long_vector
// CHECK-SPIRV
// refract of doubles is written out, for vectors of any length.
#version 450
#extension GL_EXT_long_vector : require
layout(constant_id = 0) const uint N = 6;
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { double d[]; };
void main() {
  vector<double, 5> v = vector<double, 5>(d[0]);
  vector<double, N> w = vector<double, N>(d[1]);
  v = refract(v, v, d[2]);
  w = refract(w, w, d[2]);
  d[1] = v[0] + w[0];
}
