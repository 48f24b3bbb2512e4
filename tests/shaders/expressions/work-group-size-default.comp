// RUN: coopc --target-env=vulkan1.3 -Wall %s
// CHECK-SPIRV
#version 450
layout(binding = 0) buffer B { uint x[gl_WorkGroupSize.x]; };
void main() { x[0] = gl_WorkGroupSize.y; }
