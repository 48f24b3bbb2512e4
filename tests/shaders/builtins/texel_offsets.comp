// GL_EXT_texture_offset_non_const: offsets that are not constant.
// VALIDATE: none spirv-val asks for the feature maintenance8, by an option
// CHECK-SPIRV
#version 460
#extension GL_EXT_texture_offset_non_const : require
layout(local_size_x = 1) in;
layout(binding = 1) uniform sampler2D s;
layout(binding = 2) uniform sampler2DShadow d;
layout(binding = 3) uniform sampler3D t;
layout(binding = 4) uniform sampler1D o;
layout(binding = 0) buffer B { vec4 x; ivec3 at; };
void main() {
  x = textureLodOffset(s, vec2(0), 0.0, at.xy) + texelFetchOffset(s, ivec2(1), 0, at.xy);
  x += textureGradOffset(s, vec2(0), vec2(0), vec2(0), at.xy) + textureProjLodOffset(s, vec3(1), 0.0, at.xy);
  x += textureOffset(s, vec2(0), at.xy) + textureLodOffset(t, vec3(0), 0.0, at) + texelFetchOffset(o, 1, 0, at.x);
  x.x += textureLodOffset(d, vec3(0), 0.0, at.xy);
  x += textureLodOffset(s, vec2(0), 0.0, ivec2(-8, 7));  // a constant stays one
}
