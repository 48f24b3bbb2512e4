// Array sizes whose defaults are negative, of every width.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const int N = -3;
layout(constant_id = 1) const uint U = 4000000000u;
layout(constant_id = 2) const int Z = 0;
layout(constant_id = 3) const int P = 2;
shared int a[N];
shared int b[N + 1];
shared int c[Z];
shared int d[P - 2];
shared int e[P - 3];
shared int f[P];
shared int g[U - 3999999996u];
void main() { a[0] = b[0] + c[0] + d[0] + e[0] + f[0] + g[0]; }
