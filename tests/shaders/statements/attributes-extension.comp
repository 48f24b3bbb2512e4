#version 450
layout(local_size_x = 1) in;
void main() {
  [[unroll]] for (int i = 0; i < 4; ++i) { }
  [[min_iterations(2)]] for (int i = 0; i < 4; ++i) { }
}
