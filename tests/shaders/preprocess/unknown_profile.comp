// 3.3.
#version 450 modern
layout(local_size_x = 1) in;
void main() {}
