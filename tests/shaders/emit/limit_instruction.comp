// An instruction has at most 65,535 words: a constant of 100,000 elements needs more.
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { int r; };
#define A 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
#define C A, A, A, A, A, A, A, A, A, A
#define D C, C, C, C, C, C, C, C, C, C
#define E D, D, D, D, D, D, D, D, D, D
const int kTable[] = int[](E, E, E, E, E, E, E, E, E, E);
void main() {
  r = kTable[r];
}
