#version 450
layout(local_size_x = 1) in;
int x;
const int a = x;
void main() { const int b = x; }
