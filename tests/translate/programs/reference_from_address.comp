//! glsl compiles
//! hlsl refused SPIRV-Cross refuses it: Only Logical addressing model can be used with HLSL
//! msl written
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
struct Command { uint a; uint b; int c; uint d[2]; };
layout(scalar, buffer_reference) buffer Commands { Command commands[]; };
layout(scalar, buffer_reference, buffer_reference_align = 8) buffer Infos { uint64_t skip; Command info[]; };
layout(push_constant) uniform P { uint64_t address; };
layout(binding = 0, std430) buffer O { uint o[]; };
layout(binding = 1, scalar) readonly buffer I { Command src[2]; };
void main() {
  Commands(address).commands[1] = src[0];
  Infos(address + 64ul).info[1] = src[0];
  o[0] = Commands(address).commands[1].a;
  o[1] = Infos(address + 64ul).info[1].b;
  o[2] = uint(Commands(address).commands[1].c);
  o[3] = Infos(address + 64ul).info[1].d[0];
}
