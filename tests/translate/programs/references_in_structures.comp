//! glsl compiles
//! hlsl refused SPIRV-Cross refuses it: Only Logical addressing model can be used with HLSL
//! msl written
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Cell { uint v; };
struct Pair { Cell c[2]; int n; };
struct Deep { Pair p; float f; };
layout(push_constant) uniform P { Cell a; Cell b; };
layout(binding = 0, std430) buffer O { uint o[]; };
Deep build(Cell x, Cell y) { Deep d; d.p = Pair(Cell[](x, y), 2); d.f = 1.0; return d; }
uint pick(Deep d, int i) { return d.p.c[i].v; }
void main() { Deep d = build(a, b); Deep e[2]; e[1] = d; o[0] = pick(d, 0); o[1] = e[1].p.c[1].v; }
