// CHECK-SPIRV
#version 450
layout(local_size_x = 1) in;
struct T { float a[2]; ivec2 b; bool c; };
layout(set = 0, binding = 0) buffer B { T s, t; mat2 m, n; uint r; };
void main() {
  T x = s;
  r = uint(x == t) + uint(m != n) + uint(s.a == t.a) + uint(s.b != t.b) + uint(s.c == t.c);
}
