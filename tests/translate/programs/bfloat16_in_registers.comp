//! glsl compiles
//! hlsl refused the module has bfloat16, which HLSL does not have
//! msl written
//! glsl has bfloat16_t(
//! msl lacks half
// No bfloat16 is in memory.
#version 460
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer F { float f[]; };
void main() { bfloat16_t x = bfloat16_t(f[0]); f[1] = float(x); }
