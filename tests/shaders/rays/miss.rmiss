// Miss: reads the ray and writes the payload.
// RUN: coopc --target-env=vulkan1.2 %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_ray_tracing : require
layout(location = 0) rayPayloadInEXT vec3 color;
void main() {
  color = mix(gl_WorldRayDirectionEXT, gl_WorldRayOriginEXT, gl_RayTmaxEXT - gl_RayTminEXT);
  if ((gl_IncomingRayFlagsEXT & gl_RayFlagsTerminateOnFirstHitEXT) != 0u) color = vec3(0);
}
