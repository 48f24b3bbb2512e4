// Ray queries that are declared or used wrongly.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_ray_tracing_position_fetch : require
layout(binding = 0) uniform accelerationStructureEXT scene;
layout(binding = 1) readonly uniform accelerationStructureEXT qualified;
layout(binding = 2, r32f) uniform accelerationStructureEXT formatted;
layout(binding = 3) uniform accelerationStructureEXT nested[2][2];
layout(binding = 4) uniform rayQueryEXT uniformQuery;
layout(binding = 5) buffer Block { rayQueryEXT member; };
layout(constant_id = 0) const bool specialized = true;
shared rayQueryEXT sharedQuery;
const rayQueryEXT constantQuery;
struct S { rayQueryEXT member; };
rayQueryEXT result() { rayQueryEXT q; return q; }
void write(out rayQueryEXT q) {}
void both(inout rayQueryEXT q) {}
void main() {
  rayQueryEXT q, other = q;
  bool committed = true;
  vec3 positions[3], two[2];
  q = other;
  q == other;
  rayQueryProceedEXT(scene);
  rayQueryProceedEXT();
  rayQueryGetIntersectionTypeEXT(q, committed);
  rayQueryGetIntersectionTypeEXT(q, specialized);
  rayQueryGetIntersectionTypeEXT(q);
  rayQueryGetIntersectionTypeEXT(q, 1);
  rayQueryGetIntersectionTriangleVertexPositionsEXT(q, true, two);
  rayQueryGetIntersectionTriangleVertexPositionsEXT(q, committed, positions);
  rayQueryGetIntersectionTriangleVertexPositionsEXT(scene, true, positions);
  rayQueryGetIntersectionTriangleVertexPositionsEXT(q, true);
  rayQueryInitializeEXT(q, q, 0, 0xFF, vec3(0), 0.0, vec3(1), 10.0);
  traceRayEXT(scene, 0, 0xff, 0, 0, 0, vec3(0), 0.0, vec3(1), 1.0, 0);
  uint kind = gl_HitKindFrontFacingTriangleEXT;
  rayQueryEXT(q);
}
