#version 460
layout(location = 0, index = 0) out vec4 color;
layout(location = 0, index = 1) out vec4 factor;
void main() {
  color = vec4(1.0, 0.5, 0.25, 1.0);
  factor = vec4(gl_FragCoord.x < 8.0 ? 0.5 : 0.25);
}
