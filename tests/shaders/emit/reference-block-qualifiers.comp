// RUN: coopc --target-env=vulkan1.3 -Wall %s
// CHECK-SPIRV
// A block's memory qualifiers do not apply to references to it (GL_EXT_buffer_reference, 4.3.9), but those of its members do.
// A block stays readonly in the module if nothing contradicts it.
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430) readonly buffer Kept { uint x; };
layout(buffer_reference, std430) readonly buffer Written { uint x; uint list[]; };
layout(buffer_reference, std430) writeonly buffer Read { uvec4 x; };
layout(push_constant) uniform P { Kept kept; Written written; Read read; };
void main() {
  written.x = kept.x;
  atomicAdd(written.list[2], 1u);
  written.list[1] += read.x.y;
}
