#version 320 es
// Layout qualifiers that ESSL 3.20, 4.4, does not list.
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0, stream = 0) out vec4 v;
void main() { v = vec4(1.0); EmitVertex(); }
