// CHECK-SPIRV
#version 450
// 4.2.2: each name means its innermost declaration, from the end of its initializer on.
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int x[]; } b;
int a = 1;
struct S { int m; };
int f(int k) {
  {
    int k = k + 3;
    int m = k;
    b.x[0] = m;
  }
  return k;
}
void main() {
  int a = a + 10;
  {
    int a = a + 100;
    b.x[1] = a;
  }
  S S = S(5);
  b.x[2] = S.m;
  for (int i = 0; i < 2; ++i)
    for (int i = 5; i < 6; ++i) b.x[3] = i;
  int i = 17;
  do
    int i = 4;
  while (i == 0);
  if (i == 17) int i = 3;
  while (bool go = i > 16) { i = 0; }
  switch (i) { case 0: int a = 2; b.x[4] = a; break; }
  b.x[5] = f(a);
}
