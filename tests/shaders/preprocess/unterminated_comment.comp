// A comment must end (3.4).
#version 450
layout(local_size_x = 1) in;
void main() {}
/* no end
