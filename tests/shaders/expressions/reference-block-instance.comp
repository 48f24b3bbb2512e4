#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, buffer_reference, std430) readonly buffer Block { uint x; } instance;
layout(buffer_reference, std430) buffer Members { readonly uint x; writeonly uint y; };
layout(push_constant) uniform P { Members m; };
void main() {
  instance.x = 1;
  m.x = 1;
  m.y = m.y;
  atomicAdd(m.x, 1u);
}
