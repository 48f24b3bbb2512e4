#version 450
#include "common.glsl"
layout(location = 0) out vec3 color;
void main() {
  color = kColors[gl_VertexIndex];
  gl_Position = vec4(kCorners[gl_VertexIndex], 0.0, 1.0);
}
