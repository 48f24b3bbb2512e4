// The result must be one token (3.3).
#version 450
#define PASTE(a, b) a ## b
layout(local_size_x = 1) in;
void main() {
  int x = 1 PASTE(+, -) 2;
}
