// Each cycle of calls is reported once, whichever function leads to it.
#version 460
layout(local_size_x = 1) in;
int f(int n);
int h(int n);
int g(int n) { return f(n) + h(n); }
int f(int n) { return g(n - 1); }
int h(int n) { return h(n - 1) + f(n); }
void main() {
  int a = f(1) + g(2) + h(3);
}
