// Declarations of HLSL: one error each, with GLSL's form.
// RUN: coopc %s
#version 450
layout(local_size_x = 1) in;
groupshared float tile[64];
RWStructuredBuffer<float> values;
void main() { float known = 1.0; }
