// RUN: coopc -flimit-file builtins/include/texel_offsets.txt %s
// The range of constant texel offsets is that of the limits of the compile (GLSL 4.60, 8.9.2).
#version 450
layout(binding = 0) uniform sampler2D s;
layout(location = 0) out vec4 color;
void main() { color = textureOffset(s, vec2(0), ivec2(-9, 7)); }
