#version 310 es
layout(local_size_x = 1) in;
void main() {
  int i = 1;
  uint u = 1u;
  switch (i) { case 1u: break; case 1.0: break; }
  switch (u) { case 1: break; }
}
