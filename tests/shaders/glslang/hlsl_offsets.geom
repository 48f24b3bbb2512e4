// -fhlsl-offsets in other stages.
// RUN: coopc --target-env=opengl -fhlsl-offsets -S %s -o -
#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
layout(binding = 0) uniform U { float a; vec3 b; float c[2]; float d; } u;
layout(location = 0) out vec4 color;
void main() { color = vec4(u.b, u.a + u.d); }
