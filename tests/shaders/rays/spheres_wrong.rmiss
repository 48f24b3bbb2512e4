// Wrong uses of GL_NV_linear_swept_spheres and GL_NV_cluster_acceleration_structure.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_ray_query : require
#extension GL_NV_shader_invocation_reorder : require
#extension GL_NV_linear_swept_spheres : require
#extension GL_NV_cluster_acceleration_structure : require
layout(location = 0) rayPayloadInEXT vec4 payload;
void main() {
  rayQueryEXT query;
  hitObjectNV object;
  bool committed = true;
  const vec3 constant[2] = {vec3(0), vec3(1)};
  vec3 two[2], three[3];
  float radii[2];
  payload.x = gl_HitSphereRadiusNV + gl_ClusterIDNV;
  rayQueryGetIntersectionLSSPositionsNV(query, committed, two);
  rayQueryGetIntersectionLSSPositionsNV(query, true, three);
  rayQueryGetIntersectionLSSPositionsNV(query, true, constant);
  rayQueryGetIntersectionLSSRadiiNV(query, true);
  rayQueryGetIntersectionLSSRadiiNV(object, true, radii);
  rayQueryGetIntersectionLSSRadiiNV(query, 1, radii);
  hitObjectGetLSSPositionsNV(object, radii);
  hitObjectGetLSSRadiiNV(object, radii, 0);
  hitObjectGetLSSRadiiNV(query, radii);
  rayQueryIsSphereHitNV(query, committed);
  rayQueryGetIntersectionClusterIdNV(query, committed);
}
