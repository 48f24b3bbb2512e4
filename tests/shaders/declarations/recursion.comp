#version 450
layout(local_size_x = 1) in;
int f(int x);
int g(int x) { return f(x); }
int h(int x) { return g(x); }
int f(int x) { return h(x - 1); }
int self(int n) { return n == 0 ? 1 : self(n - 1); }
void main() { g(3); }
