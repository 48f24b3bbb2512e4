// Component types, counts and storage of cooperative vectors.
#version 460
#extension GL_NV_cooperative_vector : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
struct Pair { float16_t a, b; };
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
layout(set = 0, binding = 1) buffer Pairs { Pair x[]; } pairs;
layout(set = 0, binding = 2) buffer Words { uint x[]; } words;

shared coopvecNV<float16_t, 16> sharedVector;
void main() {
  coopvecNV<bool, 16> flags;
  coopvecNV<float16_t, 16ul> wide;
  sharedVector = coopvecNV<float16_t, 16>(1.0);
}
