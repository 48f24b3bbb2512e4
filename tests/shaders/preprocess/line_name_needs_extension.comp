// The name is an extension. (Includes enable it; they are disabled here.)
#version 450
#extension all : disable
#line 10 "name"
layout(local_size_x = 1) in;
void main() {}
