#version 460
layout(quads, equal_spacing, ccw) in;
layout(location = 0) in vec2 corner[];
layout(location = 1) patch in vec4 tint;
layout(location = 2) patch in float sums[2];
layout(location = 0) out vec4 color;
void main() {
  vec2 t = gl_TessCoord.xy;
  vec4 low = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, t.x);
  vec4 high = mix(gl_in[2].gl_Position, gl_in[3].gl_Position, t.x);
  gl_Position = mix(low, high, t.y);
  color = vec4(mix(mix(corner[0], corner[1], t.x), mix(corner[2], corner[3], t.x), t.y), tint.z, sums[0] * 0.5 + sums[1]);
}
