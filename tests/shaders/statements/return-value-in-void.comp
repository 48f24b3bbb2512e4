#version 450
layout(local_size_x = 1) in;
void f() { return 1; }
void main() {}
