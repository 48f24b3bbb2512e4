// The name is an extension (which includes switch on: it is switched off here).
#version 450
#extension all : disable
#line 10 "name"
layout(local_size_x = 1) in;
void main() {}
