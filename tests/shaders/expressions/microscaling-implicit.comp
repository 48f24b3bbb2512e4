// NoImplicitConversion, NoMatchingFunction, OperatorTypes: scales (floatue8m0_t) convert explicitly only (GL_EXT_ocp_microscaling_types, 4.1.10).
#version 460
#extension GL_EXT_float_ue8m0 : require
#extension GL_EXT_float_e3m2 : require
#extension GL_EXT_float_e4m3 : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { floatue8m0_t e; float f; fue8m0vec2 e2; vec2 f2; floate4m3_t narrow; };
float takes(float x) { return x; }
void main() {
  f = e;
  f2 = e2;
  f = takes(e);
  f = -(1.0fue8m0);
  double d = 1.0fue8m0;
  narrow = 1.0fe3m2;
  f = float(e);
}
