// RUN: coopc --target-env=vulkan1.1 %s
#version 460
#extension GL_NV_ray_tracing : require
layout(location = 0) rayPayloadInNV vec4 payload;
layout(location = 1) rayPayloadInNV vec4 second;
layout(location = 2) callableDataInNV vec4 data;
hitAttributeNV vec2 at;
rayPayloadNV vec4 nowhere;
layout(location = 3) rayPayloadNV float unsized[];
layout(binding = 0) uniform accelerationStructureNV scene;
layout(shaderRecordEXT) buffer Record { uint x; };
void main() {
  payload = second;
  traceNV(scene, gl_RayFlagsNoneNV, 0xffu, 0u, 1u, 0u, vec3(0), 0.1, vec3(1), 100.0, 7);
  traceRayEXT(scene, 0u, 0xffu, 0u, 1u, 0u, vec3(0), 0.1, vec3(1), 100.0, 0);
  ignoreIntersectionNV();
  payload.x = gl_HitTNV;
  gl_RayTminNV = 1;
}
