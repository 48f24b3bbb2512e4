#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_control_flow_attributes : require
void main() {
  int i = 0;
  [[unroll]] i = 1;
}
