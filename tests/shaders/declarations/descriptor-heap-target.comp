// RUN: coopc --target-env=vulkan1.0 %s
// TargetTooOld: strides in heaps are decorations with ids (OpDecorateId), of SPIR-V 1.2.
#version 460
#extension GL_EXT_descriptor_heap : require
layout(local_size_x = 1) in;
layout(descriptor_heap) uniform U { vec4 a; } u[2];
void main() {}
