// A built-in block without members.
#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
out gl_PerVertex { };
void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }
