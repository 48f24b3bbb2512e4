#version 460
layout(location = 0) out vec4 tint;
void main() {
  // Two right triangles whose legs are 4.6 pixels long, at pixels (2, 2) and (9, 9).
  int corner = gl_VertexIndex % 3, triangle = gl_VertexIndex / 3;
  vec2 at = vec2(corner == 1 ? 4.6 : 0.0, corner == 2 ? 4.6 : 0.0) + (triangle == 0 ? 2.0 : 9.0);
  gl_Position = vec4(at / 8.0 - 1.0, 0.0, 1.0);
  tint = vec4(0.0, 0.0, float(triangle) * 0.5, 0.0);
}
