#version 460
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_EXT_float_e4m3 : require
layout(local_size_x = 1) in;
void main() {
  bfloat16_t b = bfloat16_t(1);
  floate5m2_t e = floate5m2_t(1);
  floate4m3_t f = floate4m3_t(1);
  bool same = b == e;
  bool equal = e == f;
  float sum = b + f;
  bool choice = (true ? b : e) == b;
}
