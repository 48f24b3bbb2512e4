#version 440
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uvec2 x; };
void main() { x = unpackUint2x32(packUint2x32(x)); }
