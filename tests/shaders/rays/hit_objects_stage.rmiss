// Only ray generation shaders reorder; without the extension, its names do not exist.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_shader_invocation_reorder : require
layout(location = 0) rayPayloadInEXT vec4 payload;
layout(location = 0) hitObjectAttributeNV vec2 texel;
void main() {
  hitObjectEXT object;
  hitObjectNV other;
  hitObjectRecordEmptyEXT(object);
  reorderThreadEXT(1, 2);
  reorderThreadEXT(object);
  hitObjectReorderExecuteEXT(object, 0);
  reorderThreadNV(1, 2);
}
