#version 450
layout(local_size_x = 1) in;
void main() {
  int i = 0;
  switch (i) {
    case 1: break;
    case 2 - 1: break;
    case 1u: break;
    case -1: break;
    case 0xffffffff: break;
  }
}
