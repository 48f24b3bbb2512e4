// accelerationStructureNV in a stage without rays: only the type exists.
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 460
#extension GL_NV_ray_tracing : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform accelerationStructureNV scene;
layout(binding = 1) buffer B { uint x; };
void main() { x = 1; }
