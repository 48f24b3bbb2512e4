// Operators and conversions of cooperative vectors.
#version 460
#extension GL_NV_cooperative_vector : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
struct Pair { float16_t a, b; };
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
layout(set = 0, binding = 1) buffer Pairs { Pair x[]; } pairs;
layout(set = 0, binding = 2) buffer Words { uint x[]; } words;

void main() {
  coopvecNV<int, 16> v = coopvecNV<int, 16>(1);
  coopvecNV<int, 16> r = v % v;
  coopvecNV<int, 8> other = coopvecNV<int, 8>(1);
  r = v + other;
  coopvecNV<float, 8> shorter = coopvecNV<float, 8>(v);
}
