#version 460
#extension GL_EXT_ray_tracing : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) rayPayloadInEXT ivec4 found;
layout(location = 1) rayPayloadEXT int lit;
hitAttributeEXT vec2 barycentric;
void main() {
  float t = gl_HitTEXT;
  vec3 at = gl_WorldRayOriginEXT + t * gl_WorldRayDirectionEXT;
  lit = 0;
  // Nothing lies in front of the hit, so this ray misses.
  traceRayEXT(scene, gl_RayFlagsTerminateOnFirstHitEXT | gl_RayFlagsSkipClosestHitShaderEXT | gl_RayFlagsOpaqueEXT, 0xFF, 0, 1, 1,
              at, 0.125, vec3(0.0, 0.0, -1.0), 50.0, 1);
  bool inside = barycentric.x > 0.0 && barycentric.y > 0.0 && barycentric.x + barycentric.y < 1.0;
  found = ivec4(gl_InstanceCustomIndexEXT, gl_PrimitiveID, int(round(t * 4.0)), inside ? lit * 1000 : -1);
}
