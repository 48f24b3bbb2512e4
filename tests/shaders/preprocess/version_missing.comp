// A text that does not name its version is one of GLSL 1.10.
layout(local_size_x = 1) in;
void main() { }
