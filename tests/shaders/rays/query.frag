// Ray queries in fragment shaders.
// RUN: coopc --target-env=vulkan1.2 %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_ray_query : require
layout(binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) in vec3 position;
layout(location = 0) out vec4 color;
void main() {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT, 0xFF, position, 0.01, vec3(0, 1, 0), 100.0);
  rayQueryProceedEXT(query);
  color = vec4(rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionTriangleEXT ? 0.5 : 1.0);
}
