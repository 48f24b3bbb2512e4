// Built-in functions of constants: the array on each line has one element if the functions are folded to the value that
// the line gives. Otherwise it has none, which is an error.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_integer_mix : require
layout(local_size_x = 1) in;
#define IS(e) { int a[(e) ? 1 : 0]; }
#define NEAR(e, n) IS(abs((e) - (n)) < 1e-5)
#define NEAR2(e, n0, n1) NEAR((e).x, n0) NEAR((e).y, n1)
#define NEAR3(e, n0, n1, n2) NEAR2(e, n0, n1) NEAR((e).z, n2)
const mat2 two = mat2(1, 2, 3, 5);
const mat3 three = mat3(2, 3, 5, 7, 11, 13, 17, 19, 29);
const mat4 four = mat4(2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 41, 37, 43, 47, 61);
void main() {
  // 8.1
  NEAR(radians(90), 1.57079633) NEAR(degrees(1), 57.2957795)
  NEAR(sin(0.5), 0.47942554) NEAR(cos(0.5), 0.87758256) NEAR(tan(0.5), 0.54630249)
  NEAR(asin(0.5), 0.52359878) NEAR(acos(0.5), 1.04719755) NEAR(atan(0.5), 0.46364761)
  NEAR(atan(1.0, -1.0), 2.35619449) NEAR(atan(0.0, -1.0), 3.14159265) NEAR(atan(2.0, 0.0), 1.57079633)
  NEAR(sinh(0.5), 0.52109531) NEAR(cosh(0.5), 1.12762597) NEAR(tanh(0.5), 0.46211716)
  NEAR(asinh(0.5), 0.48121183) NEAR(acosh(1.5), 0.96242365) NEAR(atanh(0.5), 0.54930614)
  // 8.2
  IS(pow(3, 4) == 81) IS(pow(0, 2) == 0) NEAR(exp(1), 2.71828183) NEAR(log(10), 2.30258509)
  IS(exp2(-3) == 0.125) IS(log2(0.25) == -2) IS(sqrt(6.25) == 2.5) IS(inversesqrt(0.25) == 2)
  IS(isinf(inversesqrt(0.0)))
  // 8.3
  IS(abs(-2) == 2) IS(abs(3) == 3) IS(abs(-128s) == 128s) IS(abs(-5l) == 5l) IS(abs(-2.5) == 2.5) IS(abs(2.5) == 2.5)
  IS(sign(-7) == -1) IS(sign(0) == 0) IS(sign(7) == 1) IS(sign(-7.0) == -1) IS(sign(0.0) == 0) IS(sign(7.0) == 1)
  IS(floor(-2.5) == -3) IS(trunc(-2.5) == -2) IS(ceil(-2.5) == -2) IS(ceil(2.25) == 3)
  IS(round(2.5) == 2) IS(roundEven(3.5) == 4) IS(round(2.75) == 3) IS(fract(-1.25) == 0.75)
  IS(mod(-5.5, 2) == 0.5) IS(mod(5.5, -2) == -0.5)
  IS(min(2, 3) == 2) IS(min(3, 2) == 2) IS(min(-1, 1) == -1) IS(min(4u, 3u) == 3u) IS(min(0x80000000u, 1u) == 1u)
  IS(max(2, 3) == 3) IS(max(3, 2) == 3) IS(max(-1, 1) == 1) IS(max(0x80000000u, 1u) == 0x80000000u)
  IS(clamp(-4, -3, 9) == -3) IS(clamp(4, -3, 9) == 4) IS(clamp(40, -3, 9) == 9) IS(clamp(0.5, 0.5, 0.5) == 0.5)
  IS(mix(2, 6, 0.25) == 3) IS(mix(1, 2, false) == 1) IS(mix(1, 2, true) == 2) IS(mix(1.5, 2.5, true) == 2.5)
  IS(step(2.0, 1.5) == 0) IS(step(2.0, 2.0) == 1) IS(step(2.0, 3.0) == 1)
  IS(smoothstep(2.0, 4.0, 1.0) == 0) IS(smoothstep(2.0, 4.0, 2.5) == 0.15625) IS(smoothstep(2.0, 4.0, 5.0) == 1)
  IS(fma(2.0, 3.0, 4.0) == 10) IS(fma(2.0lf, 3.0lf, 4.0lf) == 10.0lf)
  IS(!isnan(1.0)) IS(isnan(0.0 / 0.0)) IS(!isinf(1.0)) IS(isinf(-1.0 / 0.0))
  IS(floatBitsToInt(-2.0) == 0xC0000000) IS(floatBitsToUint(1.0) == 0x3F800000u)
  IS(intBitsToFloat(0x40400000) == 3) IS(uintBitsToFloat(0xC0400000u) == -3)
  IS(ldexp(3.0, 4) == 48) IS(ldexp(3.0, -1) == 1.5)
  // 8.4
  IS(packUnorm2x16(vec2(0, 1)) == 0xFFFF0000u) IS(packUnorm2x16(vec2(0.25, -1)) == 0x00004000u)
  IS(packSnorm2x16(vec2(-1, 0.5)) == 0x40008001u) IS(packSnorm2x16(vec2(-9, 9)) == 0x7FFF8001u)
  IS(packUnorm4x8(vec4(0, 0.25, 0.5, 1)) == 0xFF804000u) IS(packSnorm4x8(vec4(-1, -0.5, 0.5, 1)) == 0x7F40C081u)
  NEAR2(unpackUnorm2x16(0xFFFF4000u), 0.25000381, 1) NEAR2(unpackSnorm2x16(0x40008001u), -1, 0.50001526)
  NEAR2(unpackSnorm2x16(0x7FFF8000u), -1, 1)
  NEAR3(unpackUnorm4x8(0xFF804000u), 0, 0.25098039, 0.50196078) IS(unpackUnorm4x8(0xFF804000u).w == 1)
  NEAR3(unpackSnorm4x8(0x7F40C081u), -1, -0.50393701, 0.50393701) IS(unpackSnorm4x8(0x7F40C081u).w == 1)
  IS(packHalf2x16(vec2(0.5, 3)) == 0x42003800u) IS(unpackHalf2x16(0x42003800u) == vec2(0.5, 3))
  IS(unpackDouble2x32(packDouble2x32(uvec2(7, 9))) == uvec2(7, 9)) IS(packDouble2x32(uvec2(0, 0x40000000)) == 2.0lf)
  // 8.5
  IS(length(vec3(2, 3, 6)) == 7) IS(length(-3.0) == 3) IS(distance(vec3(1, 2, 3), vec3(3, 5, 9)) == 7)
  IS(dot(vec3(1, 2, 3), vec3(4, -5, 6)) == 12) IS(dot(3.0, 4.0) == 12)
  IS(cross(vec3(1, 2, 3), vec3(4, 5, 7)) == vec3(-1, 5, -3)) IS(normalize(vec2(0, -5)) == vec2(0, -1))
  NEAR3(normalize(vec3(1, 2, 2)), 0.33333333, 0.66666667, 0.66666667)
  IS(faceforward(vec2(1, 2), vec2(0, -1), vec2(0, 1)) == vec2(1, 2))
  IS(faceforward(vec2(1, 2), vec2(0, 1), vec2(0, 1)) == vec2(-1, -2))
  IS(faceforward(vec2(1, 2), vec2(1, 0), vec2(0, 1)) == vec2(-1, -2))
  IS(faceforward(vec2(1, 2), vec2(0.5, 0), vec2(0.5, 1)) == vec2(-1, -2))
  IS(reflect(vec2(1, -1), vec2(0, 1)) == vec2(1, 1)) IS(reflect(vec2(1, 2), vec2(3, 4)) == vec2(-65, -86))
  NEAR2(refract(vec2(0.6, -0.8), vec2(0, 1), 0.5), 0.3, -0.9539392) IS(refract(vec2(0.6, -0.8), vec2(0, 1), 2.0) == vec2(0))
  IS(refract(vec2(0, -1), vec2(0, 1), 1.0) == vec2(0, -1))
  // 8.6
  IS(matrixCompMult(two, mat2(2, 3, 4, 6)) == mat2(2, 6, 12, 30))
  IS(outerProduct(vec2(2, 3), vec3(5, 7, 11)) == mat3x2(10, 15, 14, 21, 22, 33))
  IS(transpose(mat2x3(1, 2, 3, 4, 5, 6)) == mat3x2(1, 4, 2, 5, 3, 6))
  IS(determinant(two) == -1) IS(determinant(three) == -72) IS(determinant(four) == 576)
  IS(inverse(two) == mat2(-5, 2, 3, -1))
  NEAR3((three * inverse(three))[0], 1, 0, 0) NEAR3((three * inverse(three))[1], 0, 1, 0) NEAR3((three * inverse(three))[2], 0, 0, 1)
  NEAR3((four * inverse(four))[0], 1, 0, 0) NEAR3((four * inverse(four))[1], 0, 1, 0)
  NEAR3((four * inverse(four))[2], 0, 0, 1) NEAR3((four * inverse(four))[3], 0, 0, 0) NEAR((four * inverse(four))[3].w, 1)
  // 8.7
  IS(lessThan(vec3(1, 2, 3), vec3(2)) == bvec3(true, false, false)) IS(lessThanEqual(ivec3(1, 2, 3), ivec3(2)) == bvec3(true, true, false))
  IS(greaterThan(uvec3(1, 2, 3), uvec3(2)) == bvec3(false, false, true)) IS(greaterThanEqual(vec3(1, 2, 3), vec3(2)) == bvec3(false, true, true))
  IS(equal(ivec3(1, 2, 3), ivec3(2)) == bvec3(false, true, false)) IS(notEqual(vec3(1, 2, 3), vec3(2)) == bvec3(true, false, true))
  IS(equal(bvec2(true, false), bvec2(true)) == bvec2(true, false))
  IS(any(bvec3(false, true, false))) IS(!any(bvec2(false))) IS(all(bvec3(true))) IS(!all(bvec3(true, true, false)))
  IS(not(bvec2(true, false)) == bvec2(false, true))
  // 8.8
  IS(bitfieldExtract(0x00000F70, 4, 8) == -9) IS(bitfieldExtract(0x00000F70u, 4, 8) == 0xF7u) IS(bitfieldExtract(-1, 0, 32) == -1)
  IS(bitfieldExtract(-1, 5, 0) == 0) IS(bitfieldExtract(0x80000000u, 31, 1) == 1u)
  IS(bitfieldInsert(0x12345678, 0xFFAB, 8, 8) == 0x1234AB78) IS(bitfieldInsert(1u, 2u, 0, 32) == 2u) IS(bitfieldInsert(5, 2, 3, 0) == 5)
  IS(bitfieldInsert(0u, 1u, 31, 1) == 0x80000000u)
  IS(bitfieldReverse(0x00000005u) == 0xA0000000u) IS(bitfieldReverse(1) == 0x80000000)
  IS(bitCount(0x00F0F00Fu) == 12) IS(bitCount(-1) == 32) IS(findLSB(0) == -1) IS(findLSB(40) == 3)
  IS(findMSB(0) == -1) IS(findMSB(-1) == -1) IS(findMSB(-9) == 3) IS(findMSB(40) == 5) IS(findMSB(0x80000000u) == 31)
}
