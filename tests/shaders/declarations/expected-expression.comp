#version 450
layout(local_size_x = 1) in;
void main() {
  int i = ;
  int j = (1 + ) * 2;
  i = j + ;
  vec2 v = vec2(1.0, );
}
