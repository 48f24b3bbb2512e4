//! glsl compiles
//! hlsl written
//! msl refused SPIRV-Cross refuses it: Unsized array of descriptors requires argument buffer tier 2
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float b[]; } data[];
layout(binding = 1) buffer O { float f; };
layout(push_constant) uniform P { int i; };
void main() { f = data[nonuniformEXT(i)].b[1]; }
