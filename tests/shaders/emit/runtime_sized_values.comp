// CHECK-SPIRV
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -O %s
// A discarded expression may have a runtime-sized array, or a value that contains one, as its value (4.1.9): the value is not
// loaded. The expression's other effects, and uses of parts of such values, do not change.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_nonuniform_qualifier : require

layout(local_size_x = 1) in;

layout(std430, binding = 0) buffer Named { uint k; uint o[]; } named;
layout(std430, binding = 1) buffer Unnamed { uint k; uint o[]; };
layout(std430, binding = 2) buffer Several { uint k; uint o[]; } several[2];
layout(buffer_reference, std430) buffer Reference { uint k; uint o[]; };

void main() {
  o;
  (o);
  named;
  named.o;
  several;
  several[k++];
  several[nonuniformEXT(k)].o;
  o, o[0] = 1u;
  o[1] = 2u, o;
  k++, named.o;
  for (o; k < 4u; o) k++;
  for (named.o, k = 0u; k < 2u; k++, several[1].o) { }
  Reference r = Reference(uvec2(16u, 0u));
  r.o;
  r, r.o;
  o[2] = (k++, o)[3] + (o, named.o)[k];
}
