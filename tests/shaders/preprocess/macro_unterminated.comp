// 3.3.
#version 450
layout(local_size_x = 1) in;
void main() {}
#define F(x) x
F(1, (2)
