#version 460
layout(push_constant) uniform Constants { float size; };
void main() {
  gl_Position = vec4(vec2(gl_VertexIndex * 8 + 4) / 8.0 - 1.0, 0.0, 1.0);
  gl_PointSize = size * float(gl_VertexIndex + 1);
}
