#version 450
layout(local_size_x = 1) in;
coherent float a;
readonly shared int b;
layout(binding = 0) readonly uniform U { float x; } u;
layout(binding = 1) uniform V { volatile float x; } v;
struct S { restrict int a; };
layout(binding = 2) readonly uniform sampler2D s;
readonly int f(writeonly int p) { return p; }
void main() {}
