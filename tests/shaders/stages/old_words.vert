// Words of versions before 4.20.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
// RUN: coopc -Werror %s
// RUN: coopc -fstrict %s
#version 410
layout(location = 0) attribute vec4 position;
layout(location = 0) varying vec4 color;
void main() {
  gl_Position = position;
  color = position;
}
