// CHECK-SPIRV
// A constant that gives the size in y declares the workgroup's size (GLSL 4.60, 4.4.1.4).
#version 460
layout(local_size_y_id = 3) in;
layout(set = 0, binding = 0) buffer B { uvec3 size; };
void main() { size = gl_WorkGroupSize; }
