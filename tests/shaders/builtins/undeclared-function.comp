#version 450
// Undeclared functions, one of them misspelt (6.1).
layout(local_size_x = 1) in;
void main() {
  float a = smoothtep(0.0, 1.0, 0.5);
  float b = qqqqqqqq(a);
}
