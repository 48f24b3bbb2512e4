// Several extensions return 64-bit values; from 4.50 on, all of these can be split.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -fshader-stage=compute builtins/include/bits_of_64_440.glsl
#version 450
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_shader_clock : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uvec2 x; double d; ivec2 i; };
void main() {
  x = unpackUint2x32(ballotARB(true)) + unpackUint2x32(gl_SubGroupEqMaskARB) + unpack32(clockARB());
  x += unpackUint2x32(doubleBitsToUint64(d)) + unpackUint2x32(packUint2x32(x));
  i = unpackInt2x32(packInt2x32(i)) + unpack32(pack64(i)) + unpackInt2x32(doubleBitsToInt64(d));
  d = uint64BitsToDouble(pack64(x)) + int64BitsToDouble(packInt2x32(i));
}
