#version 460
#extension GL_EXT_float_e2m1 : require
#extension GL_EXT_float_e2m3 : require
#extension GL_EXT_float_ue8m0 : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const float spec = 1.0;
layout(binding = 0) buffer B { float f; floatue8m0_t e; floate2m1_t narrow; };
shared fe2m3vec2 alsoNarrow;
floate2m3_t fine = floate2m3_t(2.0);
void main() {
  e = floatue8m0_t(f);
  e = floatue8m0_t(spec);
  e = floatue8m0_t(4.0);
  floate2m1_t a = floate2m1_t(e);
}
