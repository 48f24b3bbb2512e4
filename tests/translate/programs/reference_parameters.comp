//! glsl compiles
//! hlsl refused SPIRV-Cross refuses it: Only Logical addressing model can be used with HLSL
//! msl refused SPIRV-Cross refuses it: Unknown storage class used for copying arrays
// References go through parameters of every direction, arrays and results.
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Cell { uint v; };
layout(push_constant) uniform P { Cell a; Cell b; };
layout(binding = 0, std430) buffer O { uint o[]; };
void exchange(inout Cell x, inout Cell y) { Cell t = x; x = y; y = t; }
void choose(bool first, Cell x[2], out Cell y) { y = x[first ? 0 : 1]; }
void main() {
  Cell x = a, y = b, z;
  exchange(x, y);
  choose(o[0] > 1u, Cell[2](x, y), z);
  o[1] = z.v + x.v;
}
