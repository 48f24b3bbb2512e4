//! glsl compiles
//! hlsl refused SPIRV-Cross refuses it: Only Logical addressing model can be used with HLSL
//! msl written
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Node { uint value; };
layout(push_constant, scalar) uniform P { Node first; };
layout(binding = 0, scalar) writeonly buffer O { uint o[]; };
Node head() { return first; }
Node after(Node n) { return n + 1; }
void main() {
  Node unused = head();
  o[0] = head().value;
  o[1] = after(head()).value;
}
