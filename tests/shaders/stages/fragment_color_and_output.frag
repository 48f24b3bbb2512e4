// gl_FragColor beside a declared output at its location.
// RUN: coopc --target-env=vulkan1.3 %s
#version 410
layout(location = 0) out vec4 result;
void main() {
  gl_FragColor = vec4(1);
  result = vec4(1);
}
