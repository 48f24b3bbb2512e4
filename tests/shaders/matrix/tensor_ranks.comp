// If a tensor's rank is a specialization constant, the number of coordinates is the constant's default.
#version 460
#extension GL_ARM_tensors : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint N = 2;
layout(constant_id = 1) const uint M = 2;
layout(set = 0, binding = 0) uniform tensorARM<float, N> t;
layout(set = 0, binding = 1) uniform tensorARM<float, 3> u;
layout(set = 0, binding = 2) uniform tensorARM<float, (N + 1)> w;
void main() {
  float f;
  tensorReadARM(t, uint[](0, 0), f);
  tensorReadARM(t, uint[](0, 0, 0), f);
  tensorReadARM(u, uint[](0, 0), f);
  tensorReadARM(u, uint[](0, 0, 0), f);
  tensorReadARM(w, uint[](0, 0), f);
  tensorReadARM(w, uint[](0, 0, 0), f);
  uint a[N];
  tensorReadARM(t, a, f);
  uint b[M];
  tensorReadARM(t, b, f);
  tensorReadARM(u, b, f);
}
