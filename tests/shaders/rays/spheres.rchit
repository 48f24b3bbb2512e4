// GL_NV_linear_swept_spheres in closest-hit shaders.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_NV_linear_swept_spheres : require
layout(location = 0) rayPayloadInEXT vec4 payload;
hitAttributeEXT float along;
void main() {
  if (gl_HitIsSphereNV) payload = vec4(gl_HitSpherePositionNV, gl_HitSphereRadiusNV);
  if (gl_HitIsLSSNV)
    payload = vec4(mix(gl_HitLSSPositionsNV[0], gl_HitLSSPositionsNV[1], along),
                   mix(gl_HitLSSRadiiNV[0], gl_HitLSSRadiiNV[1], along));
}
