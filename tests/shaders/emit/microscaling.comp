// VALIDATE: newest the linked SPIRV-Tools does not know SPV_EXT_ocp_microscaling_types
// CHECK-SPIRV
// The microscaling formats: constants of them, bit casts, packing, extraction; conversions to wider types.
#version 460
#extension GL_EXT_float_e2m1 : require
#extension GL_EXT_float_e2m3 : require
#extension GL_EXT_float_e3m2 : require
#extension GL_EXT_float_ue8m0 : require
#extension GL_EXT_float_mxint8 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_long_vector : require
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer B {
  uint8_t b;
  u8vec3 b3;
  u16vec3 s3;
  uvec3 u3;
  float f[16];
  vec4 v[4];
  vector<float, 8> w;
  vector<float, 16> x;
};
layout(binding = 1) buffer C {
  floatue8m0_t e8;
  fue8m0vec2 e82;
  floatmxint8_t mx;
  fmxint8vec4 mx4;
};
void main() {
  f[0] = float(bitcastExtractfe2m3EXT(b, 1u)) + float(bitcastExtractfe3m2EXT(b, 2u));
  v[0] = vec4(unpackFloat4xfe2m3EXT(b3)) + vec4(unpackFloat4xfe3m2EXT(b3));
  w = vector<float, 8>(unpackFloat8xfe2m3EXT(s3)) + vector<float, 8>(unpackFloat8xfe3m2EXT(s3));
  x = vector<float, 16>(unpackFloat16xfe2m3EXT(u3)) + vector<float, 16>(unpackFloat16xfe3m2EXT(u3));
  b3 = packFloat4xfe2m3EXT(fe2m3vec4(floate2m3_t(1.5)));
  b3 += packFloat4xfe3m2EXT(unpackFloat4xfe3m2EXT(b3));
  s3 = packFloat8xfe2m3EXT(unpackFloat8xfe2m3EXT(s3));
  u3 = packFloat16xfe3m2EXT(unpackFloat16xfe3m2EXT(u3));
  e8 = floatue8m0_t(3.0);   // 2, scales go toward zero
  e82 = fue8m0vec2(uintBitsToFloatue8m0EXT(u8vec2(127, 128)));
  mx = floatmxint8_t(-5.0);  // the least that is used: -127 / 64
  mx4 = intBitsToFloatmxint8EXT(i8vec4(1, 2, 3, 4));
  f[1] = float(e8) * float(mx) + float(mx4.w);
  b = floatue8m0BitsToUintEXT(e82.y) + uint8_t(floatmxint8BitsToIntEXT(mx));
  const float kHalf = float(floatue8m0_t(0.5)) + float(floatmxint8_t(1.25)) + float(floate3m2_t(28.0));
  f[2] = kHalf;
}
