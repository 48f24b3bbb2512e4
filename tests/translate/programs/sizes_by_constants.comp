//! glsl compiles
//! hlsl written
//! msl written
// The offset of `end` follows from the defaults.
#version 460
layout(local_size_x = 1) in;
layout(constant_id = 0) const int A = -8;
layout(constant_id = 1) const uint B = 6u;
const uint C = (B ^ 2u) << 1;
layout(set = 0, binding = 0, std430) buffer O { float d[~A]; float e[C]; float end; };
void main() { end = d[0] + e[0]; }
