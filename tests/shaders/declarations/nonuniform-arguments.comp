#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_nonuniform_qualifier : require
void main() {
  int a = nonuniformEXT(1, 2);
}
