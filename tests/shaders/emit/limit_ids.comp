// A module has at most 4,194,303 ids: comparing arrays takes several for each element.
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint r; };
#define COMPARE if (a == b) r++;
#define MANY COMPARE COMPARE COMPARE COMPARE COMPARE COMPARE COMPARE COMPARE
void main() {
  int a[60000], b[60000];
  MANY MANY MANY
}
