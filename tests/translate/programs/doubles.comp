//! glsl compiles
//! hlsl written
//! msl refused the module has 64-bit floats, which MSL does not have
#version 460
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer O { float o; };
void main() { double x = double(o); o = float(x * 2.0lf); }
