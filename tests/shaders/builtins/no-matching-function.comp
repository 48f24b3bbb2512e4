#version 450
// No overload fits: wrong counts, shapes that do not convert, types without a conversion; user functions and built-ins.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { float x[]; };
layout(set = 0, binding = 1) uniform sampler2D t;
layout(set = 0, binding = 2) uniform texture2D plain;
float area(vec2 size) { return size.x * size.y; }
float area(float a, float b, int c) { return a; }
void split(float v, out int whole) { whole = int(v); }
float max(vec2 v) { return v.x; }
void main() {
  x[0] = area(vec3(1.0));
  x[1] = area(1.0, 2.0);
  x[2] = area(1.0, 2.0, 3.0);
  bool flag;
  split(1.0, flag);
  x[3] = sin();
  x[4] = sin(1.0, 2.0);
  x[5] = dot(vec2(1.0), vec3(1.0));
  x[6] = abs(true);
  x[7] = clamp(x[0], vec2(0.0), vec2(1.0)).x;
  x[8] = texture(t, vec3(1.0)).x;
  x[9] = texture(t, vec2(1.0), 0.5).x;
  x[10] = texture(plain, vec2(0.5)).x;
  x[11] = texture(x[0], vec2(0.5)).x;
  x[12] = textureLod(t).x;
  x[13] = max(x[0], uvec3(1));
  x[14] = float(atomicAdd(x[0], 1.0));
  frexp(x[0], flag);
  mat2 m = transpose(mat2x3(1.0));
}
