// Storage qualifiers that belong to other stages.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_ray_tracing : require
hitAttributeEXT vec2 a;
layout(location = 0) callableDataInEXT vec4 b;
layout(location = 0) rayPayloadInEXT Block { vec4 c; };
in vec4 d;
out vec4 e;
shared int f;
shared Shared { int g; };
void main() {
  ignoreIntersectionEXT;
  terminateRayEXT;
  reportIntersectionEXT(1.0, 2);
  discard;
  barrier();
  memoryBarrierShared();
  groupMemoryBarrier();
  c = vec4(gl_HitTEXT, gl_PrimitiveID, gl_ObjectRayOriginEXT.x, gl_HitKindEXT) + dFdx(c);
}
