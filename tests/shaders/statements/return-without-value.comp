#version 450
layout(local_size_x = 1) in;
float f(bool b) { if (b) return; return 1.0; }
void main() {}
