#version 460
layout(set = 0, binding = 0) buffer Written { uint calls; float ys[3]; } written;
void main() {
  vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
  atomicAdd(written.calls, 1u << (8 * gl_VertexIndex));
  written.ys[gl_VertexIndex] = p.y;
  gl_Position = vec4(p, 0.0, 1.0);
}
