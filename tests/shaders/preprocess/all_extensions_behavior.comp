// 3.3.
#version 450
#extension all : enable
#extension all : require
layout(local_size_x = 1) in;
void main() {}
