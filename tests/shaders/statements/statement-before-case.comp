#version 450
layout(local_size_x = 1) in;
void main() {
  int x;
  switch (1) { x = 1; x = 2; case 1: break; }
  switch (1) { int y; default: break; }
}
