#version 450
// Atomics work on buffer and shared variables (8.11).
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uvec4 v; uint x[]; } data;
layout(set = 0, binding = 1) uniform Block { uint u; };
shared uint s[4];
uint global;
uint f(inout uint a) { return atomicAdd(a, 1u); }
void main() {
  uint local = 0u;
  atomicAdd(local, 1u);
  atomicMax(global, 1u);
  atomicOr(u, 1u);
  atomicAdd(s[1], 1u);
  atomicAdd(data.v.y, 1u);
  atomicAdd(data.v[2], 1u);
}
