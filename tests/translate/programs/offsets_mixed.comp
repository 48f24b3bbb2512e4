//! glsl compiles
//! hlsl written
//! msl written
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer O { layout(offset = 32) float o; layout(offset = 64) mat2 a; };
layout(set = 0, binding = 1) uniform U { layout(offset = 16) vec2 b; layout(offset = 48) vec3 c; layout(offset = 60) float d; };
void main() { o = a[1].x + b.x + c.y + d; }
