#version 460
layout(location = 0) in vec2 place;
layout(set = 0, binding = 0) uniform sampler2D mips;
layout(location = 0) out vec4 levels;
layout(location = 1) out vec4 queries;
void main() {
  // 8 x 8 texels over 16 pixels times n: level log2(n / 2).
  levels = vec4(texture(mips, place * 2.0).r, texture(mips, place * 4.0).r, texture(mips, place * 2.0, 2.0).r,
                textureGrad(mips, place, vec2(0.5, 0.0), vec2(0.0, 0.5)).r);
  queries = vec4(textureQueryLod(mips, place * 8.0).y, textureLod(mips, place, 3.0).r * 255.0,
                 texelFetch(mips, ivec2(1, 1), 1).r * 255.0, float(textureQueryLevels(mips)));
}
