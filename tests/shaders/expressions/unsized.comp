#version 450
#extension GL_EXT_nonuniform_qualifier : require
// Arrays without a size (4.1.9).
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer A { float a[]; } a;
layout(set = 0, binding = 1) buffer B { float b[]; } b;
layout(set = 0, binding = 21) uniform sampler2D resources[];
shared float implicit[];
void main() {
  int i = int(gl_LocalInvocationIndex);
  float f = 0.0;
  a.a = b.b;
  bool same = a.a == b.b;
  f = (i > 0 ? a.a : b.b)[0];
  i = resources.length();
  i = implicit.length();
  implicit[2] = 1.0;
  implicit[i] = 1.0;
}
