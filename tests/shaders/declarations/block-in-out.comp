#version 450
layout(local_size_x = 1) in;
in B { int x; } b;
out C { int x; } c;
void main() {}
