#version 450
layout(local_size_x = 1) in;
int x;
void f() {}
layout(binding = 0) buffer B { x a; } b;
void main() {
  x y;
  f z;
}
