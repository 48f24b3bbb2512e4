// RUN: coopc --target-env=vulkan1.2 %s
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform U { vec4 v; } blocks[4];
layout(set = 0, binding = 1) buffer S { vec4 v; } buffers[];
layout(set = 0, binding = 2) uniform P { uint i; } p;
layout(set = 0, binding = 3) uniform texture2D textures[8];
layout(set = 0, binding = 4) uniform sampler samplers[2];
void main() {
  uint i = p.i;
  buffers[0].v = blocks[2].v;
  buffers[1].v = blocks[i].v;
  buffers[i].v = blocks[nonuniformEXT(i)].v;
  buffers[nonuniformEXT(i + 1)].v.x = 1.0;
  nonuniformEXT uint n = i;
  buffers[n].v.y += 2.0;
}
