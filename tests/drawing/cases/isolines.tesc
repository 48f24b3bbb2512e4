#version 460
layout(vertices = 1) out;
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  gl_TessLevelOuter[0] = 4.0;
  gl_TessLevelOuter[1] = 8.0;
}
