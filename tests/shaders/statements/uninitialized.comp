// RUN: coopc --target-env=vulkan1.3 -Wuninitialized %s
#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
// Variables that are read before anything is written to them, whichever path is taken.
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { float d[]; } b;
struct S {
  float x, y;
};
void set(out float v) { v = 1.0; }
void change(inout S s) { s.x += 1.0; }
void main() {
  float plain;
  b.d[0] = plain + plain;
  float sum;
  sum += 1.0;
  int count;
  ++count;
  float itself;
  itself = itself * 2.0;
  float branch;
  if (b.d[1] > 1.0) {
    b.d[2] = branch;
  } else {
    branch = 1.0;
  }
  float never;
  for (int i = 0; i < 4; ++i) b.d[i] = never;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  m = m + m;

  // No warnings for these.
  float given;
  set(given);
  S parts;
  parts.x = 1.0;
  change(parts);
  float later;
  for (int i = 0; i < 4; ++i) {
    if (i > 0) b.d[i] = later;
    later = 2.0;
  }
  float maybe;
  if (b.d[1] > 1.0) maybe = 1.0;
  float elements[4];
  for (int i = 0; i < elements.length(); ++i) elements[i] = 1.0;
  b.d[5] = given + parts.x + maybe + elements[2];
}
