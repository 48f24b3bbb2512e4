// Ray queries: local, global and in an array, as parameters; all functions.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.1 -O %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_ray_tracing_position_fetch : require
layout(binding = 0) uniform accelerationStructureEXT scene;
layout(binding = 1) buffer Result { vec4 result; mat4x3 matrix; uvec4 numbers; bool flag; };
rayQueryEXT global;
bool proceed(rayQueryEXT query) { return rayQueryProceedEXT(query); }
void main() {
  rayQueryEXT query, queries[2];
  rayQueryInitializeEXT(query, scene, gl_RayFlagsTerminateOnFirstHitEXT, 0xFF, vec3(0), 0.0, vec3(1), 10);
  rayQueryInitializeEXT(global, scene, 0, 0xFF, vec3(0), 0.0, vec3(1), 10.0);
  rayQueryInitializeEXT(queries[numbers.x], scene, 0, 0xFF, vec3(0), 0.0, vec3(1), 10.0);
  while (proceed(query)) {
    if (rayQueryGetIntersectionTypeEXT(query, false) == gl_RayQueryCandidateIntersectionTriangleEXT)
      rayQueryConfirmIntersectionEXT(query);
    else if (!rayQueryGetIntersectionCandidateAABBOpaqueEXT(query))
      rayQueryGenerateIntersectionEXT(query, 1.0);
    else
      rayQueryTerminateEXT(query);
  }
  proceed(global);
  rayQueryProceedEXT(queries[1]);
  if (rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionNoneEXT) return;
  result = vec4(rayQueryGetIntersectionBarycentricsEXT(query, true), rayQueryGetRayTMinEXT(query), rayQueryGetIntersectionTEXT(query, false));
  result.xyz += rayQueryGetWorldRayOriginEXT(query) + rayQueryGetWorldRayDirectionEXT(query);
  result.xyz += rayQueryGetIntersectionObjectRayOriginEXT(query, true) + rayQueryGetIntersectionObjectRayDirectionEXT(query, false);
  matrix = rayQueryGetIntersectionObjectToWorldEXT(query, true) + rayQueryGetIntersectionWorldToObjectEXT(query, true);
  numbers.x = rayQueryGetRayFlagsEXT(query) + rayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetEXT(query, true);
  numbers.y = uint(rayQueryGetIntersectionInstanceCustomIndexEXT(query, true) + rayQueryGetIntersectionInstanceIdEXT(query, true));
  numbers.z = uint(rayQueryGetIntersectionGeometryIndexEXT(query, true) + rayQueryGetIntersectionPrimitiveIndexEXT(query, true));
  flag = rayQueryGetIntersectionFrontFaceEXT(query, true);
  vec3 positions[3];
  rayQueryGetIntersectionTriangleVertexPositionsEXT(query, true, positions);
  result.xyz += positions[1];
}
