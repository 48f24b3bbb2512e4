#version 450
#extension GL_ARM_tensors : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform tensorARM<int, 2> t;
void main() {}
