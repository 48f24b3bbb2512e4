// VALIDATE: newest the linked SPIRV-Tools does not know SPV_EXT_descriptor_heap
// CHECK-SPIRV
// GL_EXT_structured_descriptor_heap: blocks in both heaps at constant and variable offsets, descriptors of every kind between data, buffer types, structures and arrays of descriptors.
#version 460
#extension GL_EXT_structured_descriptor_heap : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_ray_query : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint kMaterials = 64;
layout(push_constant) uniform Push { vec4 some; uint buffers; } push;
layout(buffer_reference) buffer Pointed { uint value; };
layout(buffer_type, scalar) uniform Parameters { uint data; vec3 scale; };
layout(buffer_type, scalar) buffer First { vec4 data; };
layout(buffer_type) buffer Second { uint count; uint data[]; };
struct Material {
  texture2D image;
  Parameters parameters;
  vec4 color;
  uint flags;
};
layout(heap_offset = kMaterials) resourceheap Materials {
  uint count;
  Material materials[];
} heap;
layout(heap_offset = push.buffers) resourceheap Buffers {
  uint bufferCount;
  layout(descriptor_size = 128) First first;
  readonly buffer Second seconds[];
};
resourceheap Others {
  layout(rgba8) writeonly image2D target;
  layout(r32ui) coherent uimage2D counters[2];
  accelerationStructureEXT scene;
  layout(row_major) mat2x3 m;
  bool flag;
  Pointed pointed;
  layout(offset = 4096, descriptor_size = 64) textureBuffer texels[3];
  float last[2];
} others;
samplerheap Samplers {
  vec2 bias;
  samplerShadow shadow;
  sampler samplers[];
} samplers;
resourceheap Plain { uint a; vec3 b; } plain;
vec4 sampled(texture2D t, sampler s) { return textureLod(sampler2D(t, s), samplers.bias, 0.0); }
void main() {
  uint i = heap.count;
  vec4 v = sampled(heap.materials[nonuniformEXT(i)].image, samplers.samplers[3]);
  v += heap.materials[2].color * heap.materials[i].parameters.scale.x;
  v.x += textureLod(sampler2DShadow(heap.materials[i].image, samplers.shadow), vec3(0.5), 0.0);
  first.data = v + texelFetch(others.texels[2], 4) + plain.b.xyzx;
  first.data.x += float(seconds[bufferCount].data[i]) + float(seconds[1].data.length());
  imageStore(others.target, ivec2(1), others.flag ? v : vec4(others.m[1], others.last[1]));
  imageAtomicAdd(others.counters[i & 1], ivec2(0), 1u);
  others.pointed.value = plain.a;
  rayQueryEXT query;
  rayQueryInitializeEXT(query, others.scene, 0, 255, vec3(0), 0.0, vec3(1), 1.0);
}
