// Words of versions before 4.20: gl_FragColor is an output at location 0.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 330
layout(location = 0) varying vec4 color;
void main() {
  gl_FragColor = color;
}
