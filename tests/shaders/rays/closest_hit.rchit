// Closest hit: the incoming payload beside one of its own, positions of the triangle, textures with a level of detail.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_ray_tracing_position_fetch : require
#extension GL_EXT_ray_flags_primitive_culling : require
#extension GL_EXT_nonuniform_qualifier : require
layout(primitive_culling);
layout(location = 0) rayPayloadInEXT vec3 incoming;
layout(location = 2) rayPayloadEXT float shadow;
layout(location = 1) callableDataEXT vec4 parameters;
hitAttributeEXT vec2 barycentric;
layout(binding = 0) uniform accelerationStructureEXT scene;
layout(binding = 1) uniform sampler2D textures[];
void main() {
  vec3 normal = cross(gl_HitTriangleVertexPositionsEXT[1] - gl_HitTriangleVertexPositionsEXT[0],
                      gl_HitTriangleVertexPositionsEXT[gl_PrimitiveID % 3]);
  traceRayEXT(scene, gl_RayFlagsSkipAABBEXT, 0xff, 1, 0, 1, gl_WorldRayOriginEXT, 0.1, gl_WorldRayDirectionEXT, 10.0, 2);
  parameters = vec4(shadow);
  executeCallableEXT(uint(gl_HitKindEXT), 1);
  incoming = normal * parameters.xyz + textureLod(textures[nonuniformEXT(gl_InstanceCustomIndexEXT)], barycentric, 0.0).rgb +
             texture(textures[0], barycentric).rgb;
}
