#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_control_flow_attributes : require
void main() {
  [[unrol]] for (int i = 0; i < 4; ++i) { }
  [[nonsense(3), unroll]] for (int i = 0; i < 4; ++i) { }
}
