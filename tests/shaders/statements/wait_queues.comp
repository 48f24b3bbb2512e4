// GL_QCOM_multiple_wait_queues: with and without a number, and beside other attributes.
// VALIDATE: newest the linked SPIRV-Tools does not know the loop control
// CHECK-SPIRV
#version 460
#extension GL_QCOM_multiple_wait_queues : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int x; };
void main() {
  [[multiple_wait_queuesQCOM]] for (int i = 0; i < x; ++i) x++;
  [[multiple_wait_queuesQCOM(2), unroll, dependency_length(3)]] for (int i = 0; i < x; ++i) x++;
  [[multiple_wait_queuesQCOM(3u)]] while (x > 3) x--;
}
