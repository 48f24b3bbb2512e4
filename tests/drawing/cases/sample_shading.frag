#version 460
layout(location = 0) sample in vec2 place;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 at;
void main() {
  color = vec4(float(gl_SampleID) * 60.0 / 255.0, gl_SamplePosition, 1.0);
  at = vec4(interpolateAtSample(place, 1), interpolateAtOffset(place, vec2(0.25, -0.25)));
  at.x += interpolateAtCentroid(place).x;
}
