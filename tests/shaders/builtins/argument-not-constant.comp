#version 450
// Operands that must be constant expressions: texel offsets, gather components, scopes, cluster sizes.
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
layout(set = 0, binding = 1) uniform sampler2D t;
void main() {
  ivec2 offset = ivec2(x[0]);
  int scope = int(x[1]);
  vec4 a = textureOffset(t, vec2(0.5), offset);
  vec4 b = textureGather(t, vec2(0.5), scope);
  vec4 c = textureGatherOffset(t, vec2(0.5), offset);
  x[2] = atomicAdd(x[3], 1u, scope, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
  x[3] = subgroupClusteredAdd(x[4], x[5]);
}
