#version 460
in float gl_ClipDistance[2];
layout(location = 0) out vec4 color;
void main() { color = vec4(1.0, gl_ClipDistance[0] > 0.0 ? 1.0 : 0.0, gl_ClipDistance[1] > 0.0 ? 1.0 : 0.0, 1.0); }
