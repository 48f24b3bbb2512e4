// GL_NV_linear_swept_spheres with ray queries.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_ray_query : require
#extension GL_NV_linear_swept_spheres : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform accelerationStructureEXT scene;
layout(binding = 1) buffer Results {
  vec4 sphere;
  vec3 positions[2];
  float radii[2];
  float along;
  uint kinds;
};
void main() {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, gl_RayFlagsSkipBuiltinPrimitivesNV, 0xff, vec3(0), 0, vec3(1), 2);
  while (rayQueryProceedEXT(query)) {
    if (rayQueryIsSphereHitNV(query, false)) rayQueryConfirmIntersectionEXT(query);
  }
  sphere = vec4(rayQueryGetIntersectionSpherePositionNV(query, true), rayQueryGetIntersectionSphereRadiusNV(query, true));
  vec3 ends[2];
  rayQueryGetIntersectionLSSPositionsNV(query, true, ends);
  positions[0] = ends[0];
  positions[1] = ends[1];
  rayQueryGetIntersectionLSSRadiiNV(query, false, radii);
  along = rayQueryGetIntersectionLSSHitValueNV(query, true);
  kinds = uint(rayQueryIsSphereHitNV(query, true)) + uint(rayQueryIsLSSHitNV(query, true));
}
