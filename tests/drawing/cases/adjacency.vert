#version 460
layout(location = 0) out float x;
out gl_PerVertex { vec4 gl_Position; };
void main() {
  x = float(gl_VertexIndex);
  gl_Position = vec4(float(gl_VertexIndex) / 4.0 - 1.0, float(gl_VertexIndex & 4) / 8.0 - 0.5, 0.0, 1.0);
}
