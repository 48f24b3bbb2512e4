#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uvec3 size; } b;
void f() { b.size = gl_WorkGroupSize; }
layout(local_size_y = 2) in;
layout(local_size_z_id = 2) in;
void main() {}
