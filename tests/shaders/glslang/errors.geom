// glslang's messages are printed in the compiler's form: locations, carets, counts.
// RUN: coopc --target-env=opengl %s
// RUN: coopc --target-env=opengl -w %s
#version 450
#extension GL_EXT_no_such_thing : enable
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 result;
void main() {
  result = color[0] * factor;
  result += color[0].q * other;
}
