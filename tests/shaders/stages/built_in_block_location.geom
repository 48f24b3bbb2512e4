// Members of built-in blocks have no locations (GLSL 4.60, 7.5).
#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
in gl_PerVertex {
  layout(location = 0) vec4 gl_Position;
} gl_in[];
out layout(location = 1) gl_PerVertex {
  layout(component = 1) float gl_PointSize;
};
void main() { EmitVertex(); }
