// A function that is not declared is reported even if its arguments are wrong.
// RUN: coopc %s
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float x; };
void main() {
  x = nosuch(missing);
  x = nosuch(1.0, nosuch2(missing));
  x = sin(missing);
}
