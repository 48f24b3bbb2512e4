#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_NV_displacement_micromap : require
layout(location = 0) rayPayloadInEXT vec3 at;
layout(binding = 0) uniform accelerationStructureEXT scene;
void main() {
  at = gl_HitMicroTriangleVertexPositionsNV[0];
  at = fetchMicroTriangleVertexPositionNV(scene, 1, 2, 3, 4);
}
