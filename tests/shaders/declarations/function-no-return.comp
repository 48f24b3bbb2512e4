#version 450
layout(local_size_x = 1) in;
int f() {}
int g(bool b) { if (b) return 1; }
void main() {}
