// Conversions that GL_NV_gpu_shader5 does not have (4.1.10), and matrices that it does not have.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_NV_gpu_shader5 : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer Numbers { int8_t i8; uint8_t u8; int16_t i16; uint u; int64_t i64; float16_t f16; float f; } n;
void main() {
  n.i16 = n.i8;
  n.f16 = n.i8;
  int i = n.u8;
  n.f = n.i64;
  n.i16 = i;
  f16mat2 m;
}
