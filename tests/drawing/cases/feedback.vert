#version 460
layout(xfb_buffer = 0, xfb_stride = 24) out;
layout(location = 0, xfb_buffer = 0, xfb_offset = 0) out vec2 first;
layout(location = 1, xfb_buffer = 0, xfb_offset = 16) out uvec2 second;
layout(xfb_buffer = 1, xfb_stride = 16, xfb_offset = 0) out gl_PerVertex { vec4 gl_Position; };
void main() {
  first = vec2(gl_VertexIndex, -gl_VertexIndex);
  second = uvec2(gl_VertexIndex * 10, 7);
  gl_Position = vec4(gl_VertexIndex, 0.5, 0.25, 1.0);
}
