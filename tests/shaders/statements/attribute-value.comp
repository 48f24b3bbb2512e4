#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_control_flow_attributes : require
void main() {
  [[dependency_length(0)]] for (int i = 0; i < 4; ++i) { }
  [[dependency_length(-4)]] for (int i = 0; i < 4; ++i) { }
}
