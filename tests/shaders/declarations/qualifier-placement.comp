#version 450
layout(local_size_x = 1) in;
flat int a;
centroid float b;
invariant float c;
const layout(binding = 0) buffer B { const int x; } bb;
struct S { uniform int y; invariant int z; };
uniform int f() { return 1; }
void main() {}
