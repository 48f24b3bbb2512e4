// Redeclaration, ReferenceBeforeDeclaration, OffsetMisaligned, ExpectedType, UnknownType: buffer references that heap blocks declare as members, and blocks that they cannot declare.
#version 460
#extension GL_EXT_structured_descriptor_heap : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Known { uint x; };
resourceheap Repeated { layout(buffer_reference) buffer Known { uint x; } known; } repeated;
resourceheap Own {
  layout(buffer_reference) buffer Node { uint x; Node next; } node;
  layout(buffer_reference) readonly buffer { uint x; } given;
  layout(offset = 20, buffer_reference) buffer { uint x; } odd;
  texture2D picture;
} own;
resourceheap Inner { buffer Data { uint x; } data; } inner;
layout(binding = 0) buffer Outer { layout(buffer_reference) buffer { uint x; } reference; } outer;
void main() {}
