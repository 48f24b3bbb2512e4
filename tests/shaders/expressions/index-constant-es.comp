#version 310 es
layout(local_size_x = 1) in;
layout(binding = 0) uniform highp sampler2D s[4];
layout(binding = 4) buffer B { int i; vec4 v; } b[2];
layout(binding = 6) uniform U { int i; } u[3];
layout(binding = 9, rgba8) writeonly uniform highp image2D im[3];
void main() {
  b[1].v = texture(s[2], vec2(0));
  for (int i = 0; i < 2; ++i) {
    b[0].v = texture(s[i], vec2(0));
    b[i].i = u[i].i;
    imageStore(im[i], ivec2(0), vec4(0));
  }
}
