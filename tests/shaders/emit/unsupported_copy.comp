// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.1 %s
// Below SPIR-V 1.4 an array is copied between memory layouts element by element; an instruction has room for 65,533.
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float stored[70000]; };
float first(float x[70000]) { return x[0]; }
void main() {
  stored[1] = first(stored);
}
