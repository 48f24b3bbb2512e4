// #pragma STDGL invariant(all): all outputs.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#pragma STDGL   invariant ( all )
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 color;
layout(location = 1) out Block {
  vec4 normal;
};
void main() {
  gl_Position = position;
  color = position;
  normal = position;
}
