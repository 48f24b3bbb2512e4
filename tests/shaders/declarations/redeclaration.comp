#version 450
layout(local_size_x = 1) in;
int a;
float a;
void a() {}
struct a { int x; };
void f(int p) { int p = 1; }
void g(int p, int p) {}
layout(binding = 0) buffer B { int m; };
int m;
int B;
void main() {
  int x;
  float x;
  { int x; }
  for (int i = 0; i < 1; ++i) { int i; }
  int y = y;
}
