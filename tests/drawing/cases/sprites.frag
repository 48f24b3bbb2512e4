#version 460
layout(location = 0) in vec4 tint;
layout(location = 0) out uint which;
layout(location = 1) out vec4 color;
void main() {
  which = uint(gl_PrimitiveID) + 1u + (tint.b > 0.3 ? 16u : 0u);
  color = tint;
}
