// 3.3.
#version 450
# 17 "file"
#
layout(local_size_x = 1) in;
void main() {}
