//! glsl compiles
//! hlsl refused the module has 8-bit floats, which HLSL does not have
//! msl refused the module has 8-bit floats, which MSL does not have
#version 460
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer O { floate4m3_t o[]; };
layout(binding = 1, std430) buffer F { float f[]; };
layout(binding = 2, std430) buffer P { floate5m2_t p[]; };
void main() { floate4m3_t x = o[0]; float y = float(x) * 2.0; o[1] = floate4m3_t(y); f[0] = float(p[1]); }
