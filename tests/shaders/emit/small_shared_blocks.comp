// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -DWORDS %s
// CHECK-SPIRV
// Small numbers that are only loaded, stored and converted need no arithmetic capability, in shared blocks too.
#version 460
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 1) in;
#ifdef WORDS
#define SMALL uint16_t
#else
#define SMALL uint8_t
#endif
struct Part { uint a; vec2 b; };
struct Small { SMALL a; uint b; };
layout(set = 0, binding = 0) buffer In { SMALL s; Part part; Small small[2]; uint n; } i;
layout(set = 0, binding = 1) buffer Out { Part part; Small small[2]; };
shared Block { SMALL s[4]; } block;
void main() {
  block.s[1] = i.s;
  i.n = uint(block.s[1]);
  Part copy = i.part;
  part = copy;
  small = i.small;
  i.small[1] = small[0];
}
