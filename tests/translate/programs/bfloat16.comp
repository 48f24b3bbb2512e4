//! glsl compiles
//! hlsl refused the module has bfloat16, which HLSL does not have
//! msl written
//! glsl has bfloat16_t
//! msl has bfloat 
//! msl lacks half
#version 460
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer O { bfloat16_t o[]; };
layout(binding = 1, std430) buffer F { float f[]; };
void main() { bfloat16_t x = o[0]; float y = float(x) * 2.0; o[1] = bfloat16_t(y); bf16vec2 v = bf16vec2(x, o[2]); f[0] = float(v.y); }
