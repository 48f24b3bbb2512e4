// Versions from 4.20 on have neither the words nor the variables.
// RUN: coopc --target-env=vulkan1.3 %s
#version 420
layout(location = 0) varying vec4 color;
void main() {
  gl_FragColor = vec4(1);
  gl_FragData[0] = vec4(1);
}
