#version 460
layout(location = 0) flat in int instance;
layout(depth_greater) out float gl_FragDepth;
layout(location = 0) out vec4 color;
void main() {
  // The first slopes away to the right, the second is level.
  gl_FragDepth = instance == 0 ? 0.25 + gl_FragCoord.x / 32.0 : 0.5;
  color = instance == 0 ? vec4(1, 0, 0, 1) : vec4(0, 1, 0, 1);
}
