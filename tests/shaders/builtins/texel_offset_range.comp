// TexelOffsetRange: constant offsets stay in range with GL_EXT_texture_offset_non_const too.
#version 460
#extension GL_EXT_texture_offset_non_const : require
layout(local_size_x = 1) in;
layout(binding = 1) uniform sampler2D s;
layout(binding = 0) buffer B { vec4 x; ivec2 at; };
void main() {
  x = textureLodOffset(s, vec2(0), 0.0, ivec2(8, 0));
  x = textureGatherOffsets(s, vec2(0), ivec2[4](at, at, at, at));
}
