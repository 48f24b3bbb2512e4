// In a version without the extension, these names do not exist (decision 77).
#version 440
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int column; };
void main() { column = gl_CooperativeMatrixLayoutColumnMajor; }
