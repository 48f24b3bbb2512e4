// Work-groups larger than the limits of the compile.
// RUN: coopc %s
// RUN: coopc -flimit-file declarations/include/limits.txt %s
#version 450
layout(local_size_x = 1025, local_size_y = 1024) in;
layout(local_size_z = 65) in;
void main() {}
