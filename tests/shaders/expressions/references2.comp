#version 450
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430) buffer Node { int value; };
layout(buffer_reference, std430) buffer Other { int value; };
layout(buffer_reference, std430) buffer List { int count; int items[]; };
layout(set = 0, binding = 0) buffer Data { Node node; Other other; List list; } data;
void main() {
  List l = data.list + 1;
  l = data.list[2];
  int64_t d = data.node - data.other;
  Node n = data.node + 1.0;
  n = 1 - data.node;
  n = data.node + data.node;
}
