// GL_EXT_ocp_microscaling_types, 4.1.4: literals of each format, rounded to it, and 4.11: specialization constants.
// VALIDATE: newest the linked SPIRV-Tools does not know SPV_EXT_ocp_microscaling_types
// CHECK-SPIRV
#version 460
#extension GL_EXT_float_e2m1 : require
#extension GL_EXT_float_e2m3 : require
#extension GL_EXT_float_e3m2 : require
#extension GL_EXT_float_ue8m0 : require
#extension GL_EXT_float_mxint8 : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const floate2m1_t k21 = 1.5fe2m1;
layout(constant_id = 1) const floate2m3_t k23 = .125fe2m3;
layout(constant_id = 2) const floate3m2_t k32 = 1e1fe3m2;
layout(constant_id = 3) const floatue8m0_t k80 = 4.0fue8m0;
layout(constant_id = 4) const floatmxint8_t km8 = 0.5fmxint8;
layout(binding = 0) buffer B { float f[]; };
void main() {
  floate2m1_t a = 7.3fe2m1;    // 6, the largest
  floate2m3_t b = 1.1fe2m3;    // 1.125
  floate3m2_t c = 1.1fe3m2;    // 1
  floatue8m0_t d = 3.0fue8m0;  // 2: scales go toward zero
  floatmxint8_t e = 0.01fmxint8;
  f[0] = float(a) + float(b) + float(c) + float(d) + float(e);
  f[1] = float(k21) + float(k23) + float(k32) + float(k80) + float(km8);
  f[2] = float(1.fe2m1);
}
