#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { flaot x; vec5 v; } b;
vec33 q;
void f(itn a) {}
void main() {
  unit i = 3;
  Foo bar;
  const mat5 m = 1;
}
