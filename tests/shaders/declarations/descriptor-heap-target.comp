// RUN: coopc --target-env=vulkan1.1 %s
// TargetTooOld: pointers without types are of SPIR-V 1.4.
#version 460
#extension GL_EXT_descriptor_heap : require
layout(local_size_x = 1) in;
layout(descriptor_heap) uniform U { vec4 a; } u[2];
void main() {}
