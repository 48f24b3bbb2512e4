// The structure needs the extension.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(location = 0) out vec4 color;
void main() {
  gl_TextureFootprint2DNV a;
  color = vec4(0);
}
