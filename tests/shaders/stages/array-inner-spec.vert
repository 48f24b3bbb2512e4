// GLSL 4.60, 4.11: in interfaces, where the reference compiler forbids it as well, an inner dimension that is a
// specialization constant is an error.
// RUN: coopc %s
#version 460
layout(constant_id = 1) const int N = 2;
layout(location = 0) in float fine[N][2];
layout(location = 4) in float first[2][N];
layout(location = 0) out float second[2][N];
void main() { second[0][1] = fine[1][0] + first[1][1]; }
