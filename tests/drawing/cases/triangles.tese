#version 460
layout(triangles, fractional_odd_spacing, cw) in;
layout(location = 0) out vec4 color;
void main() {
  gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position + gl_TessCoord.z * gl_in[2].gl_Position;
  // Bent, so that the subdivision is visible.
  gl_Position.xy *= 0.7 + 0.3 * length(gl_TessCoord);
  color = vec4(gl_TessCoord, 1.0);
}
