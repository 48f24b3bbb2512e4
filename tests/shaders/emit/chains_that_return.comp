// CHECK-SPIRV
// Code after a chain of ifs is reached if one of its branches does not return.
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { int n; };
int all(int a) {
  if (a == 1) return 1;
  else if (a == 2) return 2;
  else if (a == 3) return 3;
  else return 4;
}
int first(int a) {
  if (a == 1) n = 1;
  else if (a == 2) return 2;
  else return 3;
  return 4;
}
int middle(int a) {
  if (a == 1) return 1;
  else if (a == 2) n = 2;
  else return 3;
  return 5;
}
int last(int a) {
  if (a == 1) return 1;
  else if (a == 2) return 2;
  else n = 3;
  return 6;
}
int open(int a) {
  if (a == 1) return 1;
  else if (a == 2) return 2;
  return 7;
}
void main() { n = all(n) + first(n) + middle(n) + last(n) + open(n); }
