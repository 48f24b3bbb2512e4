// The other functions of GL_EXT_samplerless_texture_functions need the extension.
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform textureBuffer t;
layout(set = 0, binding = 1) uniform texture2D d;
layout(set = 0, binding = 2) buffer B { float x; int i; };
void main() {
  i = textureSize(t);
  x = texelFetch(d, ivec2(0), 0).x;
  x += texelFetchOffset(d, ivec2(0), 0, ivec2(1)).x;
  i += textureSize(d, 0).x + textureQueryLevels(d);
}
