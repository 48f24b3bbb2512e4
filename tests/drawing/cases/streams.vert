#version 460
layout(location = 0) out uint number;
void main() {
  number = uint(gl_VertexIndex);
  gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
