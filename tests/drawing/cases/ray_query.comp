#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1, rgba32i) uniform writeonly iimage2D hits;
void main() {
  uvec2 p = gl_GlobalInvocationID.xy;
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, gl_RayFlagsNoneEXT, 0xFF, vec3(vec2(p) + 0.5, -10.0), 0.0, vec3(0.0, 0.0, 1.0), 100.0);
  ivec4 found = ivec4(-1);
  while (rayQueryProceedEXT(query)) {
    uint type = rayQueryGetIntersectionTypeEXT(query, false);
    if (type == gl_RayQueryCandidateIntersectionAABBEXT) rayQueryGenerateIntersectionEXT(query, 11.0);
    if (type == gl_RayQueryCandidateIntersectionTriangleEXT && (p.y & 1u) == 0u) rayQueryConfirmIntersectionEXT(query);
  }
  if (rayQueryGetIntersectionTypeEXT(query, true) != gl_RayQueryCommittedIntersectionNoneEXT) {
    found = ivec4(rayQueryGetIntersectionInstanceCustomIndexEXT(query, true), rayQueryGetIntersectionPrimitiveIndexEXT(query, true),
                  int(round(rayQueryGetIntersectionTEXT(query, true) * 4.0)), rayQueryGetIntersectionInstanceIdEXT(query, true));
  }
  imageStore(hits, ivec2(p), found);
}
