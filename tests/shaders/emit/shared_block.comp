// CHECK-SPIRV
#version 450
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 4) in;
shared A { uint words[4]; bool flag; };
layout(std430) shared C { u8vec4 bytes[4]; f16vec2 halves[2]; } c;
layout(set = 0, binding = 0) buffer B { uint x; };
void main() {
  words[gl_LocalInvocationIndex] = x;
  flag = x > 3;
  c.halves[1] = f16vec2(c.bytes[x & 3].xy);
  x = words[0] + uint(flag) + uint(c.halves[0].y);
}
