// Control flow is at most 1,023 constructs deep: each `else if` lies inside the one before.
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { int r; };
#define A else if (r == 1) r = 2;
#define C A A A A A A A A A A
#define D C C C C C C C C C C
#define E D D D D D D D D D D
void main() {
  if (r == 0) r = 1; E D
}
