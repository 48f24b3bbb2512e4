// A qualifier where a name belongs is reported once, and its uses are not.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 color;
struct S { vec4 buffer; float shared; };
float twice(float patch, float readonly) { return patch + readonly; }
void main() {
  vec4 sample = p;
  sample.x = twice(sample.y, 2.0);
  S s = S(sample, 1.0);
  color = sample * s.shared + s.buffer;
  float this = 1.0, inline = 2.0;
}
