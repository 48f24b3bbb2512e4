#version 450
// No overload for a component type without its extension; textures without a sampler.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { float f; double d; int64_t l; int8_t b; float16_t h; };
layout(set = 0, binding = 1) uniform texture2D t;
layout(set = 0, binding = 2) uniform itexture2DArray i;
void main() {
  atomicAdd(f, 1.0);
  atomicMin(d, 1.0lf);
  atomicOr(l, 1l);
  b = subgroupAdd(b);
  h = subgroupMax(h);
  f = texture(t, vec2(0.5)).x;
  f = texelFetch(t, ivec2(0), 0).x;
  ivec4 v = textureLod(i, vec3(0.5), 0.0);
}
