#version 450
layout(local_size_x = 0) in;
void main() {}
