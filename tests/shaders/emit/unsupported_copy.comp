// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.1 %s
// Below SPIR-V 1.4 an array is copied between memory layouts element by element, whose number must be known.
#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint kCount = 4;
layout(set = 0, binding = 0) buffer B { float stored[kCount]; };
float first(float x[kCount]) { return x[0]; }
void main() {
  stored[1] = first(stored);
}
