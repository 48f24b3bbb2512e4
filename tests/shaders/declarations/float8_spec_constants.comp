// CHECK-SPIRV
// VALIDATE: newest the linked SPIRV-Tools does not know SPV_EXT_float8
// Specialization constants of 8-bit floats: SPIR-V has them like those of any other scalar type.
#version 460
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const floate4m3_t a = floate4m3_t(1.5);
layout(constant_id = 1) const floate5m2_t b = floate5m2_t(-3.0);
layout(binding = 0) buffer B { floate4m3_t x; floate5m2_t y; float z; };
void main() {
  x = a;
  y = b;
  z = float(a);
}
