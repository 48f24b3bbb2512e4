//! glsl compiles
//! hlsl refused the members of the push-constant block lie where no constant buffer of HLSL puts them
//! msl written
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer O { float o[]; };
layout(push_constant, std430) uniform P { mat2 a; float c[3]; };
void main() { o[0] = a[1][0] + c[2]; }
