#version 460
layout(set = 0, binding = 0) uniform sampler2D one, two;
layout(location = 0) out vec4 color;
void main() { color = vec4(one == two); }
