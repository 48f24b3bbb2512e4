// The mode names the constant that the program redeclares as a specialization constant, and reads.
// RUN: coopc --target-env=vulkan1.2 -S -o - %s
#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_opacity_micromap_ray_query_mode : require
layout(constant_id = 2) gl_EnableOpacityMicromapEXT;
layout(binding = 0) uniform accelerationStructureEXT scene;
layout(binding = 1) buffer Result { uint result; };
void main() {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, gl_RayFlagsNoneEXT, 0xFF, vec3(0), 0, vec3(0, 0, 1), 1);
  result = rayQueryProceedEXT(query) && gl_EnableOpacityMicromapEXT ? 1 : 0;
}
