// #pragma STDGL invariant(all): outputs, not inputs.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#pragma STDGL invariant(all)
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 color;
void main() {
  color = position;
  gl_FragDepth = 0.5;
}
