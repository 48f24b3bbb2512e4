#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) uniform U { float a[3]; } u;
layout(std430) uniform;
layout(std430, push_constant) uniform P { float a[3]; } p;
void main() {}
