#version 450
layout(local_size_x = 1) in;
const int a;
void main() { const float b; }
