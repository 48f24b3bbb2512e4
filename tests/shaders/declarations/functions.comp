// CHECK-SPIRV
#version 450
// Prototypes, overloads, every parameter direction, memory qualifiers, a user function with a built-in's name.
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float x[]; } b;
layout(binding = 1) coherent writeonly uniform image2D img;
float f(float);
float f(int x) { return float(x) * 2.0; }
void swap(inout float p, inout float q) { float t = p; p = q; q = t; }
void set(out vec3 v, const in float s, in const float t) { v = vec3(s, t, 0.0); }
float[2] pair(void) { return float[](1.0, 2.0); }
void store(coherent restrict writeonly image2D i, float value) { imageStore(i, ivec2(0), vec4(value)); }
float unusedFunction(float x) { return x; }
float max(float x) { return x + 1.0; }
void main(void) {
  float p = f(1.0), q = f(2);
  swap(p, q);
  vec3 v;
  set(v, p, q);
  b.x[0] = v.x + pair()[1];
  store(img, v.y);
  b.x[1] = max(2.0);
}
float f(float x) { return x + 1.0; }
