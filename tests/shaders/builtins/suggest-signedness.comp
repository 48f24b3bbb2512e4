// A name that differs in case or in another letter is nearer than one that differs in signedness.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float16_t h; uint u; float f; uvec2 v; uint64_t w; };
void main() {
  u = halfBitsToUInt16(h);
  u = floatBitsToUInt(f);
  f = UintBitsToFloat(u);
  v = unpackUInt2x32(w);
  uvec3 a = uvec3(1);
  u = A.x;
}
