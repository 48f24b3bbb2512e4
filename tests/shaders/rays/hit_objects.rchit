// Hit objects of both extensions in closest-hit shaders, which cannot reorder.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_shader_invocation_reorder : require
#extension GL_NV_shader_invocation_reorder : require
layout(location = 0) rayPayloadInEXT vec4 result;
layout(location = 1) rayPayloadEXT vec4 payload;
layout(location = 0) hitObjectAttributeEXT vec2 a;
layout(location = 1) hitObjectAttributeNV vec2 b;
layout(binding = 0) uniform accelerationStructureEXT scene;
void main() {
  hitObjectEXT first;
  hitObjectNV second;
  hitObjectTraceRayEXT(first, scene, 1, 2, 3, 4, 5, vec3(6), 7, vec3(8), 9, 1);
  hitObjectTraceRayNV(second, scene, 1, 2, 3, 4, 5, vec3(6), 7, vec3(8), 9, 1);
  hitObjectGetAttributesEXT(first, 0);
  hitObjectGetAttributesNV(second, 1);
  hitObjectExecuteShaderEXT(first, 1);
  hitObjectExecuteShaderNV(second, 1);
  result = payload + vec4(a, b);
}
