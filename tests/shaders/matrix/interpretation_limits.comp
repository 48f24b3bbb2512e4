#version 460
#extension GL_NV_cooperative_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint8_t data[]; };
void main() {
  coopvecNV<float16_t, 8> v = coopvecNV<float16_t, 8>(1);
  coopvecNV<float16_t, 8> r;
  coopVecMatMulNV(r, v, 0, data, 0, 10, 8, 8, 0, false, 64);
  coopVecMatMulNV(r, v, 11, data, 0, 0, 8, 8, 0, false, 64);
  coopVecMatMulNV(r, v, 0, data, 0, 11, 8, 8, 0, false, 64);
  coopVecMatMulNV(r, v, -1, data, 0, 1000490999, 8, 8, 0, false, 64);
  coopVecMatMulNV(r, v, 1000491004, data, 0, 1000491003, 8, 8, 0, false, 64);
}
