#version 450
// A user function hides all built-in functions of its name (4.2.2): calls that the built-in would fit better draw a warning.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { int i; float f; vec3 v; };
float max(float a, float b) { return a; }
float pow(vec3 a, float b) { return a.x; }
float dot(vec3 a, vec3 b) { return a.x; }
void main() {
  f = max(i, i);
  f = max(f, f);
  f = max(f, 1);
  f = pow(v, i);
  f = dot(v, v);
}
