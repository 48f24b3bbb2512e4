// 3.3.
#version 450
#define ONE(x) x
#define TWO(x, y) x y
#define NONE() 1
layout(local_size_x = 1) in;
void main() {
  ONE(;, ;)
  TWO(;)
  NONE(1);
}
