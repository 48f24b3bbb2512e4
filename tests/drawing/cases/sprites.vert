#version 460
layout(location = 0) out vec4 color;
void main() {
  gl_Position = vec4(vec2(gl_VertexIndex % 2, gl_VertexIndex / 2) - 0.5, 0.0, 1.0);
  color = vec4(float(gl_VertexIndex & 1), float(gl_VertexIndex >> 1), 0.0, 1.0);
}
