#version 450
// Texel offsets lie in gl_MinProgramTexelOffset to gl_MaxProgramTexelOffset (8.9.2).
layout(local_size_x = 1) in;
layout(set = 0, binding = 1) uniform sampler2D t;
void main() {
  vec4 a = textureOffset(t, vec2(0.5), ivec2(-9, 0));
  vec4 b = texelFetchOffset(t, ivec2(0), 0, ivec2(7, 8));
  vec4 c = textureOffset(t, vec2(0.5), ivec2(-8, 7));
}
