#version 450
// An image's memory qualifiers must be the parameter's too (4.10).
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r32f) uniform coherent readonly image2D a;
layout(set = 0, binding = 1, r32f) uniform writeonly restrict image2D b;
float f(readonly image2D i) { return imageLoad(i, ivec2(0)).x; }
float g(coherent readonly image2D i) { return imageLoad(i, ivec2(0)).x; }
void h(image2D i) {}
void main() {
  f(a);
  g(a);
  h(b);
}
