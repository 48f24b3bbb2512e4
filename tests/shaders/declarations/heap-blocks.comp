// HeapOutsideBlock, HeapBlockArray, HeapMemberType, HeapTypeVariable, HeapOffsetType, HeapOffsetValue, HeapOffsetWritable, DescriptorSizeType, DescriptorSizeValue, BufferTypeBlock, BufferTypeInstance, LayoutPlacement, LayoutValueRange.
#version 460
#extension GL_EXT_structured_descriptor_heap : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
resourceheap uint outside;
resourceheap Several { uint x; } several[2];
layout(buffer_type) buffer Type { uint x; };
layout(buffer_type) uniform Constants { uint x; };
layout(buffer_type) readonly buffer Given { uint x; } given;
layout(buffer_type, set = 0, binding = 1) buffer Bound { uint x; };
layout(buffer_type, push_constant) uniform Pushed { uint x; };
layout(buffer_type, buffer_reference) buffer Referred { uint x; };
struct Mixed { texture2D t; sampler s; };
struct Sized { layout(descriptor_size = 64) texture2D t; layout(descriptor_size = 64) uint x; };
struct Combined { sampler2D s; };
resourceheap Wrong {
  sampler s;
  sampler2D combined;
  Mixed mixed;
  layout(descriptor_size = 32) uint number;
  layout(descriptor_size = 0) texture2D none;
  layout(binding = 3) texture2D placed;
  layout(align = 16) uint aligned;
  layout(offset = 2) uint odd;
  coherent uint memory;
  image2D unformatted;
  layout(rgba8) uimage2D unfit;
  layout(rgba8) texture2D notAnImage;
  uniform Type other;
};
samplerheap Samplers { texture2D t; Type b; sampler s[]; } samplers;
layout(binding = 2) buffer Data { uint x; } data;
layout(binding = 3) readonly buffer ReadOnly { uint x; } readOnly;
layout(push_constant) uniform Push { uint u; float f; uvec2 v; } push;
uint global = 4;
layout(heap_offset = -4) resourceheap H1 { uint x; } h1;
layout(heap_offset = push.f) resourceheap H2 { uint x; } h2;
layout(heap_offset = push.v) resourceheap H3 { uint x; } h3;
layout(heap_offset = push.u * 4) resourceheap H4 { uint x; } h4;
layout(heap_offset = data.x) resourceheap H5 { uint x; } h5;
layout(heap_offset = global) resourceheap H6 { uint x; } h6;
layout(heap_offset) resourceheap H7 { uint x; } h7;
layout(std430, set = 1) resourceheap H8 { uint x; } h8;
layout(heap_offset = 4) buffer H9 { uint x; } h9;
layout(heap_offset = readOnly.x) resourceheap Right { uint x; Constants c; readonly Type t; texture2D many[]; } right;
Type variable;
layout(binding = 5) uniform Type uniformVariable;
layout(binding = 6) uniform Mixed mixedVariable;
void takes(Type t) {}
uint takesMixed(Mixed m) { return 1; }
void main() {
  Mixed local;
  right.x = 1;
  right.c.x = 2;
  right.t.x = 3;
  uint n = right.many.length();
  Mixed made = Mixed(right.many[0], samplers.s[0]);
}
