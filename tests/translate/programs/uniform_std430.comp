//! glsl compiles
//! hlsl refused the members of the uniform block of set 0, binding 1 lie where no constant buffer of HLSL puts them
//! msl written
//! glsl has layout(set = 0, binding = 1, std430) uniform
//! glsl has #extension GL_EXT_scalar_block_layout : require
#version 460
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer O { float o[]; };
layout(set = 0, binding = 1, std430) uniform U { vec3 v[2]; mat2 a; vec4 c; } u;
void main() { o[0] = u.a[1][0] + u.v[1].x; o[1] = u.c.x; }
