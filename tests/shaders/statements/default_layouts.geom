#version 450
// One default in several layout qualifiers (GLSL 4.60, 4.4.2.2).
layout(points) in;
out layout(points) layout(max_vertices = 3)
    layout(stream = 0);
void main() {}
