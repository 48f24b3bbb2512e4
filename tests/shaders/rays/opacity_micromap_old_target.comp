// Below SPIR-V 1.4 the capability comes with SPV_EXT_opacity_micromap: SPV_KHR_opacity_micromap needs 1.4.
// RUN: coopc --target-env=vulkan1.1 -S -o - %s
#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_opacity_micromap : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform accelerationStructureEXT scene;
layout(binding = 1) buffer Result { uint result; };
void main() {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, gl_RayFlagsForceOpacityMicromap2StateEXT, 0xFF, vec3(0), 0, vec3(0, 0, 1), 1);
  result = rayQueryProceedEXT(query) ? 1 : 0;
}
