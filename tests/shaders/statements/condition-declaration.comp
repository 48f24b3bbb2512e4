#version 450
layout(local_size_x = 1) in;
void main() {
  while (bool b) { }
  while (bool c = true) { break; }
}
