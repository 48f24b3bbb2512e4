// CHECK-SPIRV
// A member of gl_PerVertex that is redeclared alone keeps its place in a buffer of transform feedback.
#version 460
layout(xfb_buffer = 1, xfb_stride = 64) out;
layout(xfb_buffer = 1, xfb_offset = 16) out vec4 gl_Position;
layout(xfb_buffer = 1, xfb_offset = 32) out float gl_PointSize;
void main() {
  gl_Position = vec4(0);
  gl_PointSize = 1;
}
