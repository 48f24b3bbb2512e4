// LiteralNeedsExtension, InvalidNumberSuffix, FloatWithoutPoint: the suffixes of the microscaling formats.
#version 460
#extension GL_EXT_float_e2m1 : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float f[]; };
void main() {
  f[0] = float(1.0fe2m1);
  f[0] = float(1.0fe2m3);
  f[0] = float(1.0fe3m2);
  f[0] = float(1.0fue8m0);
  f[0] = float(1.0fmxint8);
  f[0] = float(1.0FE2M1);
  f[0] = float(1fe2m1);
  f[0] = float(1.0fe2m1f);
  f[0] = float(1.0fe5m2);
}
