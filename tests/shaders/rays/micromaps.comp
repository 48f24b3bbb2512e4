// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_ray_query : require
#extension GL_NV_displacement_micromap : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform accelerationStructureEXT scene;
layout(binding = 1) buffer B { vec2 at; };
void main() { at = fetchMicroTriangleVertexBarycentricNV(scene, 1, 2, 3, ivec2(1, 0)); }
