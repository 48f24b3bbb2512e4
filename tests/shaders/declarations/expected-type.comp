#version 450
layout(local_size_x = 1) in;
uniform ;
const = 3;
void f(1) {}
void main() {}
