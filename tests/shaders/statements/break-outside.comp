#version 450
layout(local_size_x = 1) in;
void main() {
  break;
  if (true) { break; }
  for (;;) { break; }
}
