#version 460
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 curved;
void main() {
  vec2 p = gl_FragCoord.xy;
  color = vec4(dFdx(3.0 * p.x), dFdy(-2.0 * p.y), fwidth(p.x - 4.0 * p.y), dFdxFine(p.y) + dFdyCoarse(p.x));
  // In a quad of 2 x 2 pixels, fine derivatives are differences along its rows and columns.
  float q = p.x * p.x + p.x * p.y;
  curved = vec4(dFdxFine(q), dFdyFine(q), fwidthFine(q), 0.0);
}
