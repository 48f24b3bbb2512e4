#version 450
// The component of a gather is 0, 1, 2 or 3 (8.9.4).
layout(local_size_x = 1) in;
layout(set = 0, binding = 1) uniform sampler2D t;
void main() {
  vec4 a = textureGather(t, vec2(0.5), 4);
  vec4 b = textureGatherOffset(t, vec2(0.5), ivec2(1), -1);
}
