// GL_EXT_ocp_microscaling_types, chapter 8: every built-in function of the text, in every size.
// VALIDATE: newest the linked SPIRV-Tools does not know SPV_EXT_ocp_microscaling_types
// CHECK-SPIRV
#version 460
#extension GL_EXT_float_e2m1 : require
#extension GL_EXT_float_e3m2 : require
#extension GL_EXT_float_e2m3 : require
#extension GL_EXT_float_ue8m0 : require
#extension GL_EXT_float_mxint8 : require
#extension GL_EXT_long_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B {
  int8_t i1;
  i8vec2 i2;
  i8vec3 i3;
  i8vec4 i4;
  uint8_t u1;
  u8vec2 u2;
  u8vec3 u3;
  u8vec4 u4;
  uint16_t w1;
  u16vec3 w3;
  uint d1;
  uvec2 d2;
  uvec3 d3;
  uint at;
  vec4 f[16];
};
void main() {
  i1 = floatue8m0BitsToIntEXT(intBitsToFloatue8m0EXT(i1));
  i2 = floatue8m0BitsToIntEXT(intBitsToFloatue8m0EXT(i2));
  i3 = floatue8m0BitsToIntEXT(intBitsToFloatue8m0EXT(i3));
  i4 = floatue8m0BitsToIntEXT(intBitsToFloatue8m0EXT(i4));
  u1 = floatue8m0BitsToUintEXT(uintBitsToFloatue8m0EXT(u1));
  u2 = floatue8m0BitsToUintEXT(uintBitsToFloatue8m0EXT(u2));
  u3 = floatue8m0BitsToUintEXT(uintBitsToFloatue8m0EXT(u3));
  u4 = floatue8m0BitsToUintEXT(uintBitsToFloatue8m0EXT(u4));
  i1 = floatmxint8BitsToIntEXT(intBitsToFloatmxint8EXT(i1));
  i2 = floatmxint8BitsToIntEXT(intBitsToFloatmxint8EXT(i2));
  i3 = floatmxint8BitsToIntEXT(intBitsToFloatmxint8EXT(i3));
  i4 = floatmxint8BitsToIntEXT(intBitsToFloatmxint8EXT(i4));
  u1 = floatmxint8BitsToUintEXT(uintBitsToFloatmxint8EXT(u1));
  u2 = floatmxint8BitsToUintEXT(uintBitsToFloatmxint8EXT(u2));
  u3 = floatmxint8BitsToUintEXT(uintBitsToFloatmxint8EXT(u3));
  u4 = floatmxint8BitsToUintEXT(uintBitsToFloatmxint8EXT(u4));
  u1 = packFloat2xfe2m1EXT(unpackFloat2xfe2m1EXT(u1));
  w1 = packFloat4xfe2m1EXT(unpackFloat4xfe2m1EXT(w1));
  d1 = packFloat8xfe2m1EXT(unpackFloat8xfe2m1EXT(d1));
  d2 = packFloat16xfe2m1EXT(unpackFloat16xfe2m1EXT(d2));
  u3 = packFloat4xfe3m2EXT(unpackFloat4xfe3m2EXT(u3));
  w3 = packFloat8xfe3m2EXT(unpackFloat8xfe3m2EXT(w3));
  d3 = packFloat16xfe3m2EXT(unpackFloat16xfe3m2EXT(d3));
  u3 = packFloat4xfe2m3EXT(unpackFloat4xfe2m3EXT(u3));
  w3 = packFloat8xfe2m3EXT(unpackFloat8xfe2m3EXT(w3));
  d3 = packFloat16xfe2m3EXT(unpackFloat16xfe2m3EXT(d3));
  f[0].x = bitcastExtractfe2m1EXT(u1, 4u);
  f[0].yz = bitcastExtractfe2m1EXT(u2, at);
  f[1].xyz = bitcastExtractfe2m1EXT(u3, 0u);
  f[2] = bitcastExtractfe2m1EXT(u4, 1u);
  f[3].x = bitcastExtractfe3m2EXT(u1, 2u);
  f[3].yz = bitcastExtractfe3m2EXT(u2, at);
  f[4].xyz = bitcastExtractfe3m2EXT(u3, 0u);
  f[5] = bitcastExtractfe3m2EXT(u4, 1u);
  f[6].x = bitcastExtractfe2m3EXT(u1, 2u);
  f[6].yz = bitcastExtractfe2m3EXT(u2, at);
  f[7].xyz = bitcastExtractfe2m3EXT(u3, 0u);
  f[8] = bitcastExtractfe2m3EXT(u4, 1u);
}
