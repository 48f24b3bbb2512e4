#version 320 es
layout(local_size_x = 1) in;
layout(binding = 0) uniform highp sampler2D s[4];
layout(binding = 4) buffer B { int i; vec4 v; } b[2];
layout(binding = 6) uniform U { int i; } u[3];
layout(binding = 9, rgba8) writeonly uniform highp image2D im[3];
void main() {
  for (int i = 0; i < 2; ++i) {
    b[0].v = texture(s[i], vec2(0)) + float(u[i].i);
    b[i].i = 1;
    imageStore(im[i], ivec2(0), vec4(0));
  }
}
