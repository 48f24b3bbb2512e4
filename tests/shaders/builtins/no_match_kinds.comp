// Generic types are named in messages as the language's tables do.
#version 460
layout(local_size_x = 1) in;
void main() {
  float f;
  int i;
  f = modf(ivec2(1), f);
  f = frexp(true, i);
  i = findLSB(1.0);
  f = intBitsToFloat(1.0);
  f = uintBitsToFloat(1);
  i = floatBitsToInt(1);
  bvec2 b = not(vec2(1));
  double d = packDouble2x32(vec2(1));
  d = ldexp(1.0lf, 1.0);
  f = mix(1.0, 2.0, ivec2(1));
}
