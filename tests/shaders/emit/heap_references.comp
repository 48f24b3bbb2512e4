// VALIDATE: newest the linked SPIRV-Tools does not know SPV_EXT_descriptor_heap
// CHECK-SPIRV
// Buffer references that heap blocks declare as members (GL_EXT_structured_descriptor_heap, Interactions with GLSL_EXT_buffer_reference): with and without a name, completing a forward declaration, in both heaps.
#version 460
#extension GL_EXT_structured_descriptor_heap : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Forward;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Concrete { uint value; };
resourceheap References {
  Forward forward;
  Concrete concrete;
  layout(buffer_reference) buffer { uint data; vec3 position; } unnamed;
  layout(offset = 64, buffer_reference, scalar, buffer_reference_align = 32) readonly buffer Named {
    uint data;
    vec3 position;
  } named[2];
  texture2D picture;
} heap;
samplerheap Samplers {
  layout(buffer_reference) buffer Counters { uint count; } counters;
  sampler s;
} samplers;
layout(buffer_reference) buffer Forward { uint data; };
void main() {
  Named again = heap.named[0];
  heap.unnamed.data = heap.forward.data + heap.concrete.value;
  heap.unnamed.position = again.position + heap.named[1].position;
  samplers.counters.count += 1;
  heap.forward.data = uint(textureLod(sampler2D(heap.picture, samplers.s), vec2(0.5), 0.0).x);
}
