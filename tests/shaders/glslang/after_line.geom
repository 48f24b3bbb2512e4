// Locations after #line have the name and the number that it gives.
// RUN: coopc --target-env=opengl %s
#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) out vec4 result;
#line 100 "other.glsl"
void main() {
  result = vec4(missing);
}
