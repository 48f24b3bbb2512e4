#version 450
layout(local_size_x = 1) in;
struct T { int common; };
int goto;
void main() {
  int this = 1;
  float x = sizeof(int);
}
