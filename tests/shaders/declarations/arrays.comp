// CHECK-SPIRV
#version 450
// The three spellings of an array of arrays are one type; sizes from initializers, later declarations and uses.
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float x[]; } b;
float byInitializer[] = {1.0, 2.0, 3.0};
float nested[][2] = {{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}};
float redeclared[];
float redeclared[4];
float byUse[];
vec4 one[3][2];
vec4[2] two[3];
vec4[3][2] three;
vec4[3][2] copy() { return one; }
struct S { int a; vec2 b[2]; } value = {1, {vec2(1.0), {2.0, 3.0}}};
void main() {
  two = copy();
  three = two;
  byUse[6] = 1.0;
  redeclared[3] = byInitializer[1] + nested[2][1];
  float local[2] = float[](1.0, value.b[1].y);
  b.x[0] = redeclared[3] + three[1][0].x + local[1] + float(byInitializer.length() + nested.length());
  b.x[1] = byUse[2];
}
