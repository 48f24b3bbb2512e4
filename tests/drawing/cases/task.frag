#version 460
layout(location = 0) flat in uint color;
layout(location = 0) out uint result;
void main() { result = color; }
