// Another body, other parameters, other white space; the same definition again is fine.
#version 450
#define A 1
#define A 1
#define A 2
#define F(x) x
#define F(y) y
#define F x
#define B 1 + 2
#define B 1 +2
#define VULKAN 101
layout(local_size_x = 1) in;
void main() {}
