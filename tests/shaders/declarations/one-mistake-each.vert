// Each of these mistakes is one error, and uses of what they declare are not reported.
#version 450
layout(locations = 0) in vec4 position;
layout(locatio = 0) out vec4 color;
out gl_PerVertex { vec4 gl_position; float depth; float gl_FragDepth; };
float half_of(float x) { return; }
void main() {
  gl_Position = position;
  gl_position = position;
  gl_position.x += 1.0;
  depth = 1.0;
  depth += 2.0;
  gl_FragDepth = depth;
  color = vec4(half_of(1.0));
}
