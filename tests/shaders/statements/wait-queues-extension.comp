// AttributesExtension: the extension of control-flow attributes does not include this one.
#version 460
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int x; };
void main() {
  [[multiple_wait_queuesQCOM]] for (int i = 0; i < x; ++i) x++;
}
