// 3.3.
#version 450
#define A(x
#define B(x,) x
#define C(1) 1
#define D(x y) x
#define E(...) x
layout(local_size_x = 1) in;
void main() {}
