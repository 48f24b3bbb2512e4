#version 460
layout(location = 0) in uvec2 corner;
layout(location = 1) in ivec2 origin;
layout(location = 2) in vec4 tint;
layout(set = 1, binding = 2) uniform Scale { vec2 scale; };
layout(location = 0) out vec4 color;
void main() {
  vec2 p = (vec2(corner) + vec2(origin)) * scale - 1.0;
  color = vec4(tint.rgb, float(gl_InstanceIndex) / 255.0);
  gl_Position = vec4(p, 0.0, 1.0);
}
