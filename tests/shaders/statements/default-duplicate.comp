#version 450
layout(local_size_x = 1) in;
void main() {
  switch (1) { default: break; case 1: break; default: break; }
}
