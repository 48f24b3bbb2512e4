#version 450
layout(location = 0) in vec3 color;
layout(location = 0) out vec4 result;
void main() {
  if (color.x > 0.9) discard;
  result = vec4(color + dFdx(color), 1.0);
}
