// CHECK-SPIRV
// The instruction of each mathematical function, for every kind of number that it takes.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(binding = 0) buffer B { float f; vec3 v; int i; ivec2 iv; uint u; uvec2 uv; double d; dvec3 dv; f16vec2 h; mat3 m; bvec3 flags; };
void main() {
  f = sin(f) + cos(f) + tan(f) + asin(f) + acos(f) + atan(f) + atan(f, 2.0) + sinh(f) + cosh(f) + tanh(f) + asinh(f) + acosh(f) + atanh(f);
  f = pow(f, 3.0) + exp(f) + log(f) + exp2(f) + log2(f) + sqrt(f) + inversesqrt(f) + radians(f) + degrees(f);
  f = abs(f) + sign(f) + floor(f) + trunc(f) + round(f) + roundEven(f) + ceil(f) + fract(f) + mod(f, 2.0) + fma(f, f, f);
  v = min(v, f) + max(v, v) + clamp(v, 0.0, f) + mix(v, v, f) + step(f, v) + smoothstep(f, 2.0, v) + mix(v, v.zxy, flags);
  i = abs(i) + sign(i) + min(i, 3) + max(i, 4) + clamp(i, 1, 5) + findLSB(i) + findMSB(i) + bitCount(i) + bitfieldReverse(i);
  u = min(u, 3u) + max(u, 4u) + clamp(u, 1u, 5u) + uint(findLSB(u) + findMSB(u) + bitCount(u)) + bitfieldReverse(u);
  i = bitfieldExtract(i, 2, 3) + bitfieldInsert(i, 4, 5, 6);
  uvec2 carry, low;
  uv = uaddCarry(uv, uv.yx, carry) + carry + usubBorrow(uv, uv.yx, carry) + carry;
  umulExtended(uv, uv.yx, carry, low);
  uv += carry + low;
  ivec2 high, rest;
  imulExtended(iv, iv.yx, high, rest);
  iv += high - rest;
  float whole;
  f = modf(f, whole) + whole + ldexp(f, i) + frexp(f, i);
  flags = isnan(v);
  flags = isinf(v);
  flags = bvec3(any(flags), all(flags), flags.x);
  flags = not(flags);
  flags = lessThan(v, v.yzx);
  flags = equal(flags, notEqual(v, v.yzx));
  flags.xy = bvec2(any(greaterThanEqual(iv, iv.yx)), all(lessThanEqual(uv, uv.yx)));
  flags.yz = notEqual(equal(iv, iv.yx), greaterThan(uv, uv.yx));
  f = length(v) + distance(v, v.yzx) + dot(v, v) + determinant(m);
  v = cross(v, v.yzx) + normalize(v) + faceforward(v, v, v.yzx) + reflect(v, v.yzx) + refract(v, v.yzx, f);
  f = refract(f, f, 0.5) + reflect(f, f) + faceforward(f, f, f) + normalize(f) + distance(f, 2.0) + length(f) + dot(f, f);
  m = inverse(m) + transpose(m) + matrixCompMult(m, m) + outerProduct(v, v.yzx);
  u = packUnorm2x16(v.xy) + packSnorm2x16(v.xy) + packUnorm4x8(v.xyzx) + packSnorm4x8(v.xyzx) + packHalf2x16(v.xy);
  v.xy = unpackUnorm2x16(u) + unpackSnorm2x16(u) + unpackHalf2x16(u) + unpackUnorm4x8(u).xy + unpackSnorm4x8(u).zw;
  d = packDouble2x32(uv) + sqrt(d) + abs(d) + floor(d) + fract(d) + mod(d, 2.0LF) + fma(d, d, d) + ldexp(d, i) + frexp(d, i);
  uv = unpackDouble2x32(d);
  dv = refract(dv, dv.yzx, d) + mix(dv, dv.zxy, d) + step(d, dv) + clamp(dv, d, 2.0LF);
  d = refract(d, d, 0.25LF);
  i += floatBitsToInt(f) + int(floatBitsToUint(f));
  f += intBitsToFloat(i) + uintBitsToFloat(u);
  int16_t exponent;
  h = frexp(h, iv) + ldexp(h, iv) + h.yx * abs(h);
}
