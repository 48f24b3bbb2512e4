#version 460
layout(isolines, equal_spacing) in;
layout(location = 0) out vec4 color;
void main() {
  gl_Position = vec4(gl_TessCoord.x * 2.0 - 1.0, gl_TessCoord.y * 2.0 - 1.0 + 1.0 / 16.0, 0.0, 1.0);
  color = vec4(1.0, gl_TessCoord.y, 0.0, 1.0);
}
