// Each of these mistakes is one error.
#version 450
layout(locations = 0) in vec4 position;
layout(locatio = 0) out vec4 color;
out gl_PerVertex { vec4 gl_position; };
float half_of(float x) { return; }
void main() {
  gl_Position = position;
  color = vec4(half_of(1.0));
}
