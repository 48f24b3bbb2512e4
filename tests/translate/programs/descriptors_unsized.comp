//! glsl compiles
//! hlsl written
//! msl refused SPIRV-Cross refuses it: Unsized array of descriptors requires argument buffer tier 2
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D t[];
layout(binding = 1) buffer O { float f; };
layout(push_constant) uniform P { int i; };
void main() { f = textureLod(t[i], vec2(0), 0.).x; }
