// Characters outside the set (3.1), a control character and bytes that are no UTF-8 among them.
#version 450
layout(local_size_x = 1) in;
void main() {
  int a @ = 1;
  int b = $ 2;
  int Ã© = 3;
  int c =  4;
}
// €
int €;
