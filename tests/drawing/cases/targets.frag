#version 460
layout(location = 0) out vec4 color;
layout(location = 1) out uint number;
layout(location = 2) out ivec4 wide;
layout(location = 3, component = 2) out vec2 last;
layout(location = 3, component = 0) out vec2 first;
void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  color = vec4(p.x, p.y, p.x + p.y, 255) / 255.0;
  number = uint(p.x * 16 + p.y) << 20;
  wide = ivec4(-p.x, p.y, p.x - p.y, 7);
  first = vec2(p.x, 0.25);
  last = vec2(p.y, 0.5);
}
