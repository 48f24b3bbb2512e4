//! glsl compiles
//! hlsl refused the members of the uniform block of set 0, binding 1 lie where no constant buffer of HLSL puts them
//! msl written
//! glsl has layout(set = 0, binding = 0, scalar) buffer
//! glsl has layout(set = 0, binding = 1, scalar) uniform
#version 460
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, scalar) buffer O { mat3 m; float o[]; };
layout(set = 0, binding = 1, scalar) uniform U { float x; mat3 a; float c; } u;
void main() { o[0] = u.a[1][0] + u.x; o[1] = u.c; m = u.a; }
