// AttributeValue, AttributesExtension: numbers of wait queues.
#version 460
#extension GL_QCOM_multiple_wait_queues : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const int QUEUES = 2;
layout(binding = 0) buffer B { int x; };
void main() {
  [[multiple_wait_queuesQCOM(0)]] for (int i = 0; i < x; ++i) x++;
  [[multiple_wait_queuesQCOM(-1)]] for (int i = 0; i < x; ++i) x++;
  [[multiple_wait_queuesQCOM(QUEUES)]] for (int i = 0; i < x; ++i) x++;
  [[multiple_wait_queuesQCOM(x)]] for (int i = 0; i < x; ++i) x++;
  [[dependency_length(QUEUES)]] for (int i = 0; i < x; ++i) x++;
}
