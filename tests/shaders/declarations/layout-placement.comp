#version 450
layout(local_size_x = 1) in;
layout(binding = 0, offset = 4) buffer B { layout(binding = 1) int x; layout(std430) int y; } b;
layout(set = 1) float f;
layout(local_size_x = 4) buffer;
layout(binding = 3) in;
layout(constant_id = 0) float notConst;
layout(push_constant) float g;
struct S { layout(offset = 4) int a; };
void f1(layout(binding = 0) int x) {}
layout(binding = 0) int f2() { return 1; }
void main() { layout(offset = 4) int x; }
