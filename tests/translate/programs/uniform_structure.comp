//! glsl compiles
//! hlsl refused the members of the uniform block of set 0, binding 1 lie where no constant buffer of HLSL puts them
//! msl written
// HLSL would put `b` directly after `a`.
#version 460
layout(local_size_x = 1) in;
struct S { float a; vec3 b; };
layout(set = 0, binding = 0, std430) buffer O { float o[]; };
layout(set = 0, binding = 1, std140) uniform U { S s[2]; } u;
void main() { o[0] = u.s[1].b.y; }
