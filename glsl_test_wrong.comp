#version 460
void main() { uint n = m; }
