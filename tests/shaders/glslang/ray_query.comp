// An extension that only glslang knows: compiled there, with a note.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -w -O %s
// RUN: coopc --target-env=vulkan1.3 -fno-glslang %s
#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Result { uint hits[]; };
void main() {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT, 0xff, vec3(0), 0.0, vec3(0, 0, 1), 100.0);
  while (rayQueryProceedEXT(query)) {
  }
  hits[gl_GlobalInvocationID.x] = rayQueryGetIntersectionTypeEXT(query, true);
}
