#version 460
layout(location = 0) flat out int instance;
void main() {
  instance = gl_InstanceIndex;
  gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.25, 1.0);
}
