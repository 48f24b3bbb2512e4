// VALIDATE: newest the linked SPIRV-Tools does not know SPV_EXT_descriptor_heap
// CHECK-SPIRV
// GL_EXT_descriptor_heap: every kind of resource in the heaps, strides, qualifiers, parameters, indices that are not uniform.
#version 460
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_ray_query : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 1) in;
layout(descriptor_heap) uniform sampler samplers[];
layout(descriptor_heap) uniform samplerShadow shadows[4];
layout(descriptor_heap) uniform texture2D textures[];
layout(descriptor_heap, descriptor_stride = 64) uniform textureBuffer texels[];
layout(descriptor_heap, rgba8) readonly uniform image2D pictures[];
layout(descriptor_heap, r32ui, descriptor_stride = 1024) coherent restrict uniform uimage2D counters[];
layout(descriptor_heap) uniform accelerationStructureEXT scenes[];
layout(descriptor_heap) uniform U {
  vec4 scale;
  layout(row_major) mat2x3 m[2];
} uniforms[];
layout(descriptor_heap, std430, descriptor_stride = 256) buffer B {
  uint count;
  uint8_t small;
  vec4 values[];
} buffers[3];
layout(descriptor_heap) readonly buffer R { vec4 first; } reads[];
layout(binding = 2) buffer Out { vec4 result[]; };
vec4 sampled(texture2D t, sampler s) { return textureLod(sampler2D(t, s), vec2(0.5), 0.0); }
vec4 twice(texture2D t, sampler s) { return sampled(t, s) + sampled(t, samplers[7]); }
void main() {
  uint i = gl_GlobalInvocationID.x;
  result[0] = sampled(textures[1], samplers[2]) + twice(textures[nonuniformEXT(i)], samplers[i]);
  result[1].x = textureLod(sampler2DShadow(textures[3], shadows[2]), vec3(0.5), 0.0);
  result[2] = texelFetch(texels[i], 4) + imageLoad(pictures[5], ivec2(1));
  result[3].x = float(imageAtomicAdd(counters[nonuniformEXT(i)], ivec2(0), 1u));
  result[3].yz = vec2(textureSize(textures[i], 0));
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scenes[6], 0, 255, vec3(0), 0.0, vec3(1), 1.0);
  result[4] = uniforms[nonuniformEXT(i)].scale + vec4(uniforms[8].m[1][0], 0) + reads[i + 1].first;
  buffers[1].values[i] = result[4];
  buffers[2].small = uint8_t(3);
  atomicAdd(buffers[0].count, uint(buffers[nonuniformEXT(i)].values.length()));
}
