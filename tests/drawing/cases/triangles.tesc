#version 460
layout(vertices = 3) out;
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  gl_TessLevelOuter[0] = 3.5;
  gl_TessLevelOuter[1] = 2.0;
  gl_TessLevelOuter[2] = 5.0;
  gl_TessLevelInner[0] = 3.25;
}
