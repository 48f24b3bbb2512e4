#version 450
layout(local_size_x = 1) in;
void main() {
  uniform int a;
  shared float b;
  in float c;
  layout(local_size_x = 1) in;
}
