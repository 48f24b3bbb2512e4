// Misspelled members of redeclared built-in blocks are reported where they are declared, and nowhere else.
// RUN: coopc %s
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
in gl_PerVertex { vec4 gl_Positon; } gl_in[];
out gl_PerVertex { vec4 gl_position; };
void main() {
  gl_Position = gl_in[1].gl_Position;
  gl_position = gl_in[2].gl_Positon;
  EmitVertex();
}
