// 3.3.
#version 450
#error this   shader /* comment */ needs "more"
layout(local_size_x = 1) in;
void main() {}
