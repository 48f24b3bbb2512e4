#version 460
#extension GL_EXT_multiview : require
layout(location = 0) out vec4 color;
void main() {
  vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
  gl_Position = vec4(p + vec2(gl_ViewIndex, 0.0), 0.0, 1.0);
  color = vec4(gl_ViewIndex);
}
