// A variable indexes an array without a size: the message says how to give it one.
// RUN: coopc --target-env=vulkan1.2 %s
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int middle[]; int last[]; } b;
layout(binding = 1) uniform sampler2D textures[];
layout(binding = 2) uniform U { vec4 v[]; } u;
layout(binding = 3) buffer C { int x; } blocks[];
float plain[];
void main() {
  int i = b.last[0];
  b.last[1] = b.middle[i] + blocks[i].x + int(plain[i] + u.v[i].x + texture(textures[i], vec2(0)).x);
}
