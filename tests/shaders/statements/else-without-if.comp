#version 450
layout(local_size_x = 1) in;
void main() {
  int x = 0;
  else { x = 1; }
  x = 2;
}
