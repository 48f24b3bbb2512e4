//! glsl compiles
//! hlsl refused SPIRV-Cross refuses it: Only Logical addressing model can be used with HLSL
//! msl written
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Leaf;
struct Holder { Leaf leaf; };
layout(buffer_reference, buffer_reference_align = 8, scalar) buffer Middle { Leaf a; Holder h; Leaf more[1]; };
layout(buffer_reference, buffer_reference_align = 4, scalar) buffer Leaf { uint f; uint g; };
layout(push_constant) uniform P { Middle x; };
layout(binding = 0, std430) buffer O { uint o[]; };
void main() { Leaf y = x.a; x.h.leaf = y; Holder t = x.h; x.more[0] = t.leaf; o[0] = x.more[0].f; o[1] = t.leaf.g; }
