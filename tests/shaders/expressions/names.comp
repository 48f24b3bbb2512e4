#version 450
// Names and literals that are not values here.
layout(set = 0, binding = 0) buffer Data { float values[]; } data;
struct Pair { int a; int b; };
float square(float x) { return x * x; }
void nothing() {}
void main() {
  float total = 0.0;
  totla = 1.0;
  int n = gl_GlobalInvocationId.x;
  int d = Data;
  float f = square + 1.0;
  float g = sin;
  float v = nothing() + 1.0;
  uint s = gl_SubgroupSize;
  uvec3 size = gl_WorkGroupSize;
  float after = data.values[0];
}
