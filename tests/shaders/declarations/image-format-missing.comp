#version 450
layout(local_size_x = 1) in;
layout(binding = 0) uniform image2D a;
layout(binding = 1) writeonly uniform image2D b;
layout(binding = 2) readonly uniform image2D c;
void main() {}
