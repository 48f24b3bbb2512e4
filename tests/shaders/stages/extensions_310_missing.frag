// The same features without the extensions.
// RUN: coopc --target-env=vulkan1.3 -std=310es %s
precision highp float;
layout(location = 0) sample in vec4 position;
layout(location = 1) in Block {
  vec4 color;
};
layout(location = 0) out vec4 result;
void main() {
  result = interpolateAtCentroid(position) + float(gl_SampleID);
}
