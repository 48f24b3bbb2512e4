#version 450
layout(local_size_x = 1) in;
void main() {
  int f(int x);
  float y = 1.0;
}
