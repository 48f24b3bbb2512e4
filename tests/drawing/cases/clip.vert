#version 460
out gl_PerVertex {
  vec4 gl_Position;
  float gl_ClipDistance[2];
  float gl_CullDistance[1];
};
void main() {
  vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
  gl_Position = vec4(p, 0.0, 1.0);
  gl_ClipDistance[0] = p.x + 0.5;
  gl_ClipDistance[1] = 0.5 - p.y;
  // All vertices of the second instance lie outside.
  gl_CullDistance[0] = gl_InstanceIndex == 0 ? 1.0 : -1.0;
}
