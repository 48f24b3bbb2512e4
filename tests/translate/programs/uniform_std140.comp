//! glsl compiles
//! hlsl written
//! msl written
//! glsl has layout(set = 0, binding = 1, std140) uniform
//! glsl lacks GL_EXT_scalar_block_layout
#version 460
layout(local_size_x = 1) in;
struct S { vec3 b; float a; mat2x3 m; };
layout(set = 0, binding = 0, std430) buffer O { float o[]; };
layout(set = 0, binding = 1, std140) uniform U { vec3 v[2]; mat2 a; layout(offset = 96) vec4 c; S s[2]; layout(row_major) mat3x2 r; } u;
layout(push_constant, std140) uniform P { mat4 p; vec2 q[3]; };
void main() { o[0] = u.a[1][0] + u.v[1].x + u.s[1].m[1].y + p[1][2] + q[2].y + u.r[2][1]; o[1] = u.c.x; }
