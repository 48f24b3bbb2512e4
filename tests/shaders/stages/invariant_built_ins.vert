// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -DWRONG %s
// CHECK-SPIRV
// invariant and precise requalify variables, members of blocks, and blocks that are already declared.
#version 460
invariant gl_Position;
precise gl_PointSize;
layout(location = 0) out vec4 a;
invariant a;
layout(location = 1) out Block { vec4 b; vec4 c; };
invariant b;
layout(location = 3) out Other { vec4 d; } other;
#ifdef WRONG
invariant gl_VertexIndex;
invariant gl_MaxDrawBuffers;
float own;
invariant own;
invariant missing;
invariant other;
#endif
void main() {
  gl_Position = vec4(1);
  gl_PointSize = 2;
  a = b = c = other.d = vec4(3);
}
